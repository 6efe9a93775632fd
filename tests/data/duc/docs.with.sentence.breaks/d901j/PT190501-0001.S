<DOC>
<DOCNO> PT190501-0001 </DOCNO>
<FILEID>PT-NR-05-01-19 0423EDT</FILEID>
<HEAD>
<s docid="PT190501-0001" num="1" wdcount="3"> Ferry Hits Pier</s>
</HEAD>
<TEXT>
<s docid="PT190501-0001" num="2" wdcount="9"> A ferry struck the pier of Port Tarrow
on Tuesday.</s>
<s docid="PT190501-0001" num="3" wdcount="5"> Smith & Sons own the ferry.</s>
<s docid="PT190501-0001" num="4" wdcount="3"> Nobody was hurt.</s>
</TEXT>
</DOC>
