"""DUCView's pyramids (``.pyr`` and ``.pan``)."""
