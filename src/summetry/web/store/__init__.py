"""What is kept in the database: studies, the people of a study, their answers, accounts."""
