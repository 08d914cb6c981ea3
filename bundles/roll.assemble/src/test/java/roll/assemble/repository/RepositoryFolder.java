package roll.assemble.repository;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A repository of empty bundles, written by a test. */
final class RepositoryFolder {
  private final Path folder;
  private final StringBuilder resources = new StringBuilder();

  RepositoryFolder(Path folder) {
    this.folder = folder;
  }

  /** Writes a jar. */
  static Path jar(Path file, String name, String version) throws IOException {
    Manifest manifest = new Manifest();
    Attributes headers = manifest.getMainAttributes();
    headers.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    headers.putValue("Bundle-ManifestVersion", "2");
    headers.putValue("Bundle-SymbolicName", name);
    headers.putValue("Bundle-Version", version);
    try (OutputStream out = Files.newOutputStream(file)) {
      new JarOutputStream(out, manifest).close();
    }
    return file;
  }

  /** Writes a jar and lists it with further {@code capabilities} and requirements. */
  RepositoryFolder bundle(String name, String version, String... capabilities) throws Exception {
    Path file = jar(folder.resolve(name + "-" + version + ".jar"), name, version);
    byte[] sha = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    return entry(
        name,
        version,
        file.getFileName().toString(),
        Files.size(file),
        HexFormat.of().formatHex(sha),
        capabilities);
  }

  /** Lists a bundle, whether it exists or not. */
  RepositoryFolder entry(
      String name, String version, String url, long size, String sha256, String... capabilities) {
    resources.append(
        """
        <resource>
        <capability namespace="osgi.identity"><attribute name="osgi.identity" value="%s"/>
        <attribute name="type" value="osgi.bundle"/><attribute name="license" value="MIT;link=x"/>
        <attribute name="version" type="Version" value="%s"/></capability>
        <capability namespace="osgi.content"><attribute name="url" value="%s"/>
        <attribute name="size" type="Long" value="%d"/>
        <attribute name="osgi.content" value="%s"/></capability>
        %s</resource>
        """
            .formatted(name, version, url, size, sha256, String.join("\n", capabilities)));
    return this;
  }

  /** A capability {@code roll.env}. */
  static String env(String id) {
    return "<capability namespace=\"roll.env\"><attribute name=\"roll.env\""
        + " type=\"List&lt;String>\""
        + " value=\"%s\"/></capability>".formatted(id);
  }

  /** A package that is exported. */
  static String exports(String name, String version) {
    return """
    <capability namespace="osgi.wiring.package">
    <attribute name="osgi.wiring.package" value="%s"/>
    <attribute name="version" type="Version" value="%s"/></capability>\
    """
        .formatted(name, version);
  }

  /** A package that is imported, from a version on. */
  static String imports(String name, String version) {
    return """
    <requirement namespace="osgi.wiring.package"><directive name="filter"
    value="(&amp;(osgi.wiring.package=%s)(version&gt;=%s))"/></requirement>\
    """
        .formatted(name, version);
  }

  /** Returns the index. */
  String text() {
    return "<repository xmlns='http://www.osgi.org/xmlns/repository/v1.0.0' name='test'>\n"
        + resources
        + "</repository>\n";
  }

  /** Writes the index; returns its file. */
  Path write() throws IOException {
    return Files.writeString(folder.resolve("index.xml"), text());
  }
}
