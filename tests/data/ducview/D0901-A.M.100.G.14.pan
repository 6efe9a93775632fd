<?xml version="1.0"?>
<peerAnnotation>
<pyramid>
 <startDocumentRegEx><![CDATA[[-]*\n D[0-9]*-[A-Z]\.M\.100\.[A-Z]\.[A-Z]\n[-]*\n]]></startDocumentRegEx>
 <text>
  <line>#1</line>
  <line></line>
  <line>-----------------</line>
  <line> D0901-A.M.100.G.A</line>
  <line>-----------------</line>
  <line></line>
  <line>A ferry hit the pier at Port Tarrow & sank.</line>
  <line>Nobody was hurt.</line>
  <line></line>
  <line>-----------------</line>
  <line> D0901-A.M.100.G.B</line>
  <line>-----------------</line>
  <line></line>
  <line>In thick fog a ferry struck a pier.</line>
  <line>All passengers are safe.</line>
  <line></line>
  <line>-----------------</line>
  <line> D0901-A.M.100.G.C</line>
  <line>-----------------</line>
  <line></line>
  <line>The harbour of Port Tarrow is closed.</line>
  <line></line>
 </text>
 <scu uid="4" label="A ferry hit a pier">
  <contributor label="A ferry hit the pier">
   <part label="A ferry hit the pier" start="60" end="80"/>
  </contributor>
  <contributor label="a ferry struck a pier">
   <part label="a ferry struck a pier" start="191" end="212"/>
  </contributor>
 </scu>
 <scu uid="7" label="Nobody was hurt" comment="or killed">
  <contributor label="Nobody was hurt">
   <part label="Nobody was hurt" start="104" end="119"/>
  </contributor>
  <contributor label="All passengers are safe">
   <part label="All passengers are safe" start="214" end="237"/>
  </contributor>
 </scu>
 <scu uid="9" label="It happened at Port Tarrow">
  <contributor label="A ferry hit the pier...at Port Tarrow">
   <part label="A ferry hit the pier" start="60" end="80"/>
   <part label="at Port Tarrow" start="81" end="95"/>
  </contributor>
  <contributor label="Port Tarrow">
   <part label="Port Tarrow" start="311" end="322"/>
  </contributor>
 </scu>
 <scu uid="12" label="There was fog">
  <contributor label="In thick fog">
   <part label="In thick fog" start="178" end="190"/>
  </contributor>
 </scu>
</pyramid>
<annotation>
 <text>
  <line>A ferry sank in fog near Port Tarrow.</line>
  <line>The weather was bad.</line>
  <line>The mayor is angry.</line>
 </text>
 <peerscu uid="4" label="(2) A ferry hit a pier">
 </peerscu>
 <peerscu uid="7" label="(2) Nobody was hurt">
 </peerscu>
 <peerscu uid="9" label="(2) It happened at Port Tarrow">
  <contributor label="near Port Tarrow">
   <part label="near Port Tarrow" start="20" end="36"/>
  </contributor>
 </peerscu>
 <peerscu uid="12" label="(1) There was fog">
  <contributor label="in fog">
   <part label="in fog" start="13" end="19"/>
  </contributor>
  <contributor label="The weather was bad">
   <part label="The weather was bad" start="38" end="57"/>
  </contributor>
 </peerscu>
 <peerscu uid="0" label="All non-matching SCUs go here">
  <contributor label="A ferry sank">
   <part label="A ferry sank" start="0" end="12"/>
  </contributor>
  <contributor label="bad.The mayor is angry">
   <part label="bad.The mayor is angry" start="54" end="77"/>
  </contributor>
 </peerscu>
</annotation>
</peerAnnotation>
