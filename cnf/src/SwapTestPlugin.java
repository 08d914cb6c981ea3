import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** A plugin of this project under its own name, in successive versions. */
final class SwapTestPlugin {
  private final String id;
  private final Path original;
  private final String component;
  private final String name;
  private int version;

  /**
   * Creates the plugin {@code name} of {@code component} in the jar {@code original}.
   *
   * @param id its name in configurations
   */
  private SwapTestPlugin(String id, Path original, String component, String name) {
    this.id = id;
    this.original = original;
    this.component = component;
    this.name = name;
  }

  /**
   * Creates a plugin of the module in the folder {@code module}.
   *
   * @param part the component's name after the bundle's
   */
  static SwapTestPlugin of(String id, Path module, String part, String name) throws IOException {
    String bundle = module.getFileName().toString();
    try (Stream<Path> files = Files.list(module.resolve("target"))) {
      Path jar =
          files
              .filter(file -> file.getFileName().toString().startsWith(bundle + "-"))
              .filter(file -> file.toString().endsWith(".jar"))
              .findFirst()
              .orElseThrow(() -> new IllegalStateException("build first: " + bundle));
      return new SwapTestPlugin(id, jar, bundle + part, name);
    }
  }

  String id() {
    return id;
  }

  String bundle() {
    return id.replace('_', '.');
  }

  /** Returns its current version. */
  String version() {
    return "1.0." + version;
  }

  /** Increments its version. */
  void next() {
    version++;
  }

  /** Writes the jar; {@code header} is the name and value of an additional header, or empty. */
  void write(Path jar, String... header) throws IOException {
    try (JarFile file = new JarFile(original.toFile())) {
      Manifest manifest = new Manifest(file.getManifest());
      Attributes headers = manifest.getMainAttributes();
      headers.putValue("Bundle-SymbolicName", bundle());
      headers.putValue("Bundle-Version", version());
      headers.putValue("Service-Component", "OSGI-INF/" + component + ".xml");
      headers.remove(new Attributes.Name("Provide-Capability"));
      if (header.length > 0) {
        headers.putValue(header[0], header[1]);
      }
      try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
        for (JarEntry entry : file.stream().toList()) {
          if (!entry.isDirectory() && !entry.getName().startsWith("META-INF/")) {
            out.putNextEntry(new JarEntry(entry.getName()));
            out.write(content(file, entry));
          }
        }
      }
    }
  }

  private byte[] content(JarFile file, JarEntry entry) throws IOException {
    try (InputStream in = file.getInputStream(entry)) {
      byte[] content = in.readAllBytes();
      if (!entry.getName().equals("OSGI-INF/" + component + ".xml")) {
        return content;
      }
      String xml = new String(content, StandardCharsets.UTF_8);
      return xml.replace(">" + name + "<", ">" + id + "<").getBytes(StandardCharsets.UTF_8);
    }
  }
}
