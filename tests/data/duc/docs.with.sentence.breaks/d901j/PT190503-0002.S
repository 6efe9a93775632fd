<doc>
<docno>PT190503-0002</docno>
<text>
<s docid="PT190503-0002" num="1" wdcount="5"> Divers looked at the hull.</s>
<s docid="PT190503-0002" num="2" wdcount="7"> The café on the pier is closed.</s>
</text>
</doc>
