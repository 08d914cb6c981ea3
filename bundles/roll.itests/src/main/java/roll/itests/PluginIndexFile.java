package roll.itests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;

/** The index of a repository, as bnd writes it, of jars that a test has written. */
final class PluginIndexFile {
  private final Path folder;
  private final StringBuilder resources = new StringBuilder();

  PluginIndexFile(Path folder) {
    this.folder = folder;
  }

  /** A package that a bundle exports. */
  static String exports(String name, String version) {
    return """
    <capability namespace="osgi.wiring.package">
    <attribute name="osgi.wiring.package" value="%s"/>
    <attribute name="version" type="Version" value="%s"/></capability>
    """
        .formatted(name, version);
  }

  /** A package that a bundle imports, from a version on. */
  static String imports(String name, String version) {
    return """
    <requirement namespace="osgi.wiring.package"><directive name="filter"
    value="(&amp;(osgi.wiring.package=%s)(version&gt;=%s))"/></requirement>
    """
        .formatted(name, version);
  }

  /** Lists {@code jar} as {@code name}, an environment of that id. */
  PluginIndexFile add(Path jar, String name, String version, String... more) throws Exception {
    byte[] sha = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
    resources.append(
        """
        <resource><capability namespace="osgi.identity">
        <attribute name="osgi.identity" value="%1$s"/><attribute name="type" value="osgi.bundle"/>
        <attribute name="version" type="Version" value="%2$s"/></capability>
        <capability namespace="osgi.content"><attribute name="url" value="%3$s"/>
        <attribute name="size" type="Long" value="%4$d"/>
        <attribute name="osgi.content" value="%5$s"/></capability>
        <capability namespace="roll.env"><attribute name="roll.env" value="%1$s"/></capability>
        %6$s</resource>
        """
            .formatted(
                name,
                version,
                jar.getFileName(),
                Files.size(jar),
                HexFormat.of().formatHex(sha),
                String.join("", more)));
    return this;
  }

  /** Writes the index. */
  void write() throws IOException {
    Files.writeString(
        folder.resolve("index.xml"),
        "<repository xmlns='http://www.osgi.org/xmlns/repository/v1.0.0' name='test'>\n"
            + resources
            + "</repository>\n");
  }
}
