<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="html" indent="yes"/>
  <xsl:param name="since" select="1950"/>
  <xsl:key name="book" match="book" use="@id"/>
  <xsl:key name="by-author" match="book" use="author"/>
  <xsl:template match="/library">
    <html><body>
      <xsl:for-each select="book[generate-id() = generate-id(key('by-author', author)[1])]">
        <xsl:sort select="author"/>
        <h1><xsl:value-of select="author"/> (<xsl:value-of select="count(key('by-author', author))"/>)</h1>
        <xsl:apply-templates select="key('by-author', author)[@year &gt;= $since]"><xsl:sort select="@year" data-type="number" order="descending"/><xsl:sort select="title"/></xsl:apply-templates>
      </xsl:for-each>
    </body></html>
  </xsl:template>
  <xsl:template match="book">
    <div class="{@id}">
      <xsl:attribute name="title"><xsl:value-of select="translate(title, 'abc', 'ABC')"/></xsl:attribute>
      <xsl:choose>
        <xsl:when test="string-length(text) &gt; 120"><xsl:call-template name="shorten"><xsl:with-param name="text" select="text"/></xsl:call-template></xsl:when>
        <xsl:otherwise><xsl:value-of select="text"/></xsl:otherwise>
      </xsl:choose>
      <xsl:apply-templates select="refs/ref"/>
    </div>
  </xsl:template>
  <xsl:template match="ref"><a href="#{@to}"><xsl:value-of select="key('book', @to)/title"/></a></xsl:template>
  <xsl:template name="shorten">
    <xsl:param name="text"/><xsl:param name="left" select="12"/>
    <xsl:if test="$left &gt; 0 and contains($text, ' ')">
      <xsl:value-of select="concat(substring-before($text, ' '), '_')"/>
      <xsl:call-template name="shorten"><xsl:with-param name="text" select="substring-after($text, ' ')"/><xsl:with-param name="left" select="$left - 1"/></xsl:call-template>
    </xsl:if>
  </xsl:template>
</xsl:stylesheet>
