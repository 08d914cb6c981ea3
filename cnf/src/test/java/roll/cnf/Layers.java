package roll.cnf;

import aQute.bnd.header.OSGiHeader;
import aQute.bnd.header.Parameters;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Manifest;
import java.util.regex.Pattern;

/** The layers of bundles and their imports, according to the manifests. */
final class Layers {
  /** Layers by a pattern of bundle names; the first match counts, in the order of the diagram. */
  private static final Map<String, Pattern> LAYERS = layers();

  private static Map<String, Pattern> layers() {
    Map<String, Pattern> layers = new LinkedHashMap<>();
    layers.put(
        "commands",
        Pattern.compile("roll\\.(shell|main|bench|assemble|deploy|serve|health|ui|sweep)"));
    layers.put("core", Pattern.compile("roll\\.(core|config|rollout)"));
    layers.put("workers", Pattern.compile("roll\\.worker\\..*"));
    layers.put("strategies", Pattern.compile("roll\\.strategy\\..*"));
    layers.put("models", Pattern.compile("roll\\.model\\..*"));
    layers.put(
        "compute",
        Pattern.compile(
            "roll\\.(torch|djl|huggingface|sampling|parallel)|roll\\.collectives\\..*"));
    layers.put(
        "plugins",
        Pattern.compile(
            "roll\\.(env|estimator|loss|preference|curriculum|reward|tool|agent|tracking|grader|sandbox|workspace)\\..*"
                + "|roll\\.(template|dataset|image)"));
    layers.put("cluster", Pattern.compile("roll\\.cluster(\\..*)?"));
    layers.put("runtime", Pattern.compile("roll\\.(runtime|openai)|roll\\.dialect\\..*"));
    layers.put(
        "libraries",
        Pattern.compile(
            "roll\\.(math|grid|remote|bridge|decoder|batching|sandbox|text|browser|chart)"));
    layers.put("api", Pattern.compile("roll\\.api"));
    return Collections.unmodifiableMap(layers);
  }

  /** Bundles of libraries and of tests. */
  private static final Pattern OTHERS =
      Pattern.compile(
          "roll\\.(cas|lucene|log|http|start|testkit|itests|(collectives|browser)\\.testkit)");

  private final Map<String, Set<String>> uses = new TreeMap<>();

  /** Returns the layers of the built bundles in {@code folders}. */
  static Layers of(List<Path> folders) throws IOException {
    Map<String, String> exporters = new HashMap<>();
    Map<String, Parameters> imports = new TreeMap<>();
    for (Path folder : folders) {
      Path file = folder.resolve("target/classes/META-INF/MANIFEST.MF");
      String bundle = folder.getFileName().toString();
      if (!Files.exists(file) || OTHERS.matcher(bundle).matches()) {
        continue;
      }
      try (InputStream in = Files.newInputStream(file)) {
        Manifest manifest = new Manifest(in);
        String exported = manifest.getMainAttributes().getValue("Export-Package");
        OSGiHeader.parseHeader(exported).keySet().forEach(p -> exporters.put(p, layer(bundle)));
        imports.put(
            bundle,
            OSGiHeader.parseHeader(manifest.getMainAttributes().getValue("Import-Package")));
      }
    }
    Layers layers = new Layers();
    imports.forEach(
        (bundle, packages) -> {
          Set<String> used = layers.uses.computeIfAbsent(layer(bundle), key -> new TreeSet<>());
          packages.keySet().stream()
              .filter(exporters::containsKey)
              .map(exporters::get)
              .forEach(used::add);
          used.remove(layer(bundle));
        });
    return layers;
  }

  private static String layer(String bundle) {
    return LAYERS.entrySet().stream()
        .filter(layer -> layer.getValue().matcher(bundle).matches())
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(bundle + " belongs to no layer"));
  }

  /** Returns the diagram in Mermaid. */
  String picture() {
    StringBuilder text = new StringBuilder("```mermaid\ngraph TD\n");
    for (String from : LAYERS.keySet()) {
      for (String to : uses.getOrDefault(from, Set.of())) {
        text.append("    ").append(from).append(" --> ").append(to).append('\n');
      }
    }
    return text.append("```\n").toString();
  }
}
