package roll.assemble;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import roll.runtime.config.LoadedConfig;
import roll.testkit.ExampleRunConfigs;

/** A distribution of bundles that are manifests and nothing else, and a run to assemble for. */
final class Workshop {
  private static final String CM =
      "osgi.implementation;osgi.implementation=osgi.cm;version:Version=1.6";

  private final Map<String, byte[]> bundles = new LinkedHashMap<>();
  private final Path folder;

  /**
   * Creates bundles for all names of {@link ExampleRunConfigs#small}, one each, and as many others.
   */
  Workshop(Path folder) throws IOException {
    this.folder = folder;
    for (String name : base()) {
      add(name, "", "", "");
    }
    add("roll.core", "", "com.google.gson, org.absent;resolution:=optional", "");
    add("gson", "", "", "com.google.gson");
    add("cm", CM, "", "");
    add("roll.rollout", capability("roll.env.manager", "trajectory"), "", "");
    add("game", capability("roll.env", "game"), "", "");
    add("chess", capability("roll.env", "chess"), "", "");
    add("grpo", capability("roll.estimator", "grpo"), "", "");
    add("rloo", capability("roll.estimator", "rloo"), "", "");
    add("ppo", capability("roll.loss", "ppo"), "", "");
    add("jsonl", capability("roll.tracker", "jsonl"), "", "");
    add("tiny", capability("roll.model", "tiny"), "", "");
    add("unigram", capability("roll.strategy", "unigram"), "ai.djl", "");
    add("roll.djl", "", "", "ai.djl");
    for (String role :
        List.of("actor_train", "actor_infer", "reference", "critic", "environment")) {
      add("worker." + role, capability("roll.worker", role), "", "");
    }
  }

  /** The bundles that launch/base.bnd asks for by name. */
  static List<String> base() throws IOException {
    Path file = Path.of(System.getProperty("roll.root"), "launch", "base.bnd");
    return Pattern.compile("bnd\\.identity;id='([^']+)'")
        .matcher(Files.readString(file))
        .results()
        .map(id -> id.group(1))
        .toList();
  }

  /** A capability whose attribute is called like its namespace. */
  static String capability(String namespace, String name) {
    return namespace + ";" + namespace + ":List<String>=" + name;
  }

  private void add(String name, String offers, String imports, String exports) throws IOException {
    bundles.put(name, bundle(name, offers, imports, exports));
  }

  /** The bytes of a bundle. */
  static byte[] bundle(String name, String offers, String imports, String exports)
      throws IOException {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.putValue("Bundle-ManifestVersion", "2");
    main.putValue("Bundle-SymbolicName", name);
    main.putValue("Bundle-Version", name.endsWith("framework") ? "7.0.5" : "1.0.0");
    Map.of("Provide-Capability", offers, "Import-Package", imports, "Export-Package", exports)
        .forEach(
            (header, value) -> {
              if (!value.isEmpty()) {
                main.putValue(header, value);
              }
            });
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new JarOutputStream(bytes, manifest).close();
    return bytes.toByteArray();
  }

  /** Without a bundle. */
  Workshop without(String name) {
    bundles.remove(name);
    return this;
  }

  /** With a bundle put into its deploy folder. */
  Workshop deploy(String file, byte[] bundle) throws IOException {
    Files.write(Files.createDirectories(folder.resolve("dist/deploy")).resolve(file), bundle);
    return this;
  }

  /** Writes the distribution. */
  RunningDistribution home() throws IOException {
    Path dist = Files.createDirectories(folder.resolve("dist"));
    Path jar = dist.resolve("roll.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        ZipOutputStream out = new ZipOutputStream(file)) {
      entry(out, "META-INF/MANIFEST.MF", "Main-Class: Launcher\n".getBytes(StandardCharsets.UTF_8));
      entry(out, "jar/framework.jar", bundle("org.apache.felix.framework", "", "", ""));
      for (var bundle : bundles.entrySet()) {
        entry(out, "jar/" + bundle.getKey() + ".jar", bundle.getValue());
      }
      String names =
          String.join(",", bundles.keySet().stream().map(n -> "jar/" + n + ".jar").toList());
      String levels =
          String.join(",", bundles.keySet().stream().map(n -> n + ";startlevel\\=1").toList());
      String launcher =
          "launch.bundles=" + names + "\nlaunch.runbundles.attrs=" + levels + "\nlaunch.name=all\n";
      entry(out, "launcher.properties", launcher.getBytes(StandardCharsets.UTF_8));
      licenses(out);
    }
    Path script = dist.resolve("roll");
    Files.writeString(script, "#!/bin/sh\n");
    var unused = script.toFile().setExecutable(true);
    Files.writeString(
        Files.createDirectories(dist.resolve("native")).resolve("torch.jar"), "torch");
    Files.writeString(Files.createDirectories(dist.resolve("etc")).resolve("gosh_profile"), "");
    return new RunningDistribution(jar, dist.resolve("deploy"));
  }

  /**
   * Writes licenses in the form of the build, for bundles that are selected, others, and the
   * launcher.
   */
  private static void licenses(ZipOutputStream out) throws IOException {
    String notice =
        """
        roll

        == chess 1.0.0
        - board 3: LGPL-3.0-only, home

        == gson 1.0.0
        - gson 2: MIT, home

        == native
        - torch 1: BSD, home

        == org.apache.felix.framework 7.0.5
        - felix 7: Apache-2.0, home

        == roll.djl 1.0.0
        - jna 5: Apache-2.0 AND LGPL-2.1-or-later, home
        """;
    entry(out, "NOTICE", notice.getBytes(StandardCharsets.UTF_8));
    entry(out, "LICENSE", "Apache".getBytes(StandardCharsets.UTF_8));
    for (String text :
        List.of(
            "MIT.txt", "board-3/COPYING", "felix-7/NOTICE", "jna-5/LGPL2.1", "torch-1/LICENSE")) {
      entry(out, "licenses/" + text, text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void entry(ZipOutputStream out, String name, byte[] bytes) throws IOException {
    out.putNextEntry(new ZipEntry(name));
    out.write(bytes);
  }

  /** A run whose model is in {@code model} below the folder. */
  LoadedConfig config(String yaml) throws IOException {
    Path model = Files.createDirectories(folder.resolve("model"));
    Files.writeString(model.resolve("config.json"), "{\"model_type\": \"tiny\"}");
    Files.writeString(Files.createDirectories(model.resolve("trainer")).resolve("adam"), "big");
    return new LoadedConfig(
        Path.of("small.yaml"),
        ExampleRunConfigs.small(model, 1),
        yaml.replace("MODEL", model.toString()),
        List.of(),
        Set.of(),
        Map.of());
  }
}
