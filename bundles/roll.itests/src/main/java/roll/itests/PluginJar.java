package roll.itests;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import org.osgi.framework.Bundle;

/**
 * A jar like that of a user's project: the FrozenLake bundle under another name, with changes by a
 * test.
 */
final class PluginJar {
  private static final String ORIGINAL = "roll.env.frozen_lake";
  private static final String COMPONENT = "OSGI-INF/" + ORIGINAL + ".xml";

  private final Map<String, byte[]> entries;
  private final Manifest manifest;

  /** Creates an environment {@code id} in a bundle of that name. */
  PluginJar(String id, String version) throws IOException {
    Bundle original = BundleContent.bundle(ORIGINAL);
    entries = BundleContent.all(original);
    try (InputStream in = original.getEntry("META-INF/MANIFEST.MF").openStream()) {
      manifest = new Manifest(in);
    }
    component(">frozen_lake<", ">" + id + "<");
    header("Bundle-SymbolicName", id).header("Bundle-Version", version);
    header("Provide-Capability", "roll.env;roll.env=" + id);
  }

  /** Sets a header. */
  PluginJar header(String name, String value) {
    manifest.getMainAttributes().put(new Attributes.Name(name), value);
    return this;
  }

  /** Removes a header. */
  PluginJar without(String name) {
    manifest.getMainAttributes().remove(new Attributes.Name(name));
    return this;
  }

  /** Returns a header. */
  String header(String name) {
    return manifest.getMainAttributes().getValue(name);
  }

  /** Replaces text in the component's description. */
  PluginJar component(String old, String other) {
    String text = new String(entries.get(COMPONENT), StandardCharsets.UTF_8);
    entries.put(COMPONENT, text.replace(old, other).getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** Adds a class of these tests. */
  PluginJar with(Class<?> type) throws IOException {
    String path = type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getClassLoader().getResourceAsStream(path)) {
      entries.put(path, in.readAllBytes());
    }
    return this;
  }

  /** Adds a file, or replaces it. */
  PluginJar entry(String path, byte[] content) {
    entries.put(path, content);
    return this;
  }

  /** Removes a file. */
  PluginJar withoutEntry(String path) {
    entries.remove(path);
    return this;
  }

  /** Returns the content of a file. */
  byte[] content(String path) {
    return Objects.requireNonNull(entries.get(path), path);
  }

  /** Writes the jar into {@code folder}. */
  Path write(Path folder, String name) throws IOException {
    return Files.write(folder.resolve(name), BundleContent.jar(manifest, entries));
  }
}
