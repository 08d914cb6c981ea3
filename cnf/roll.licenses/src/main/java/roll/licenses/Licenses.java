package roll.licenses;

import aQute.bnd.osgi.Analyzer;
import aQute.bnd.osgi.EmbeddedResource;
import aQute.bnd.service.AnalyzerPlugin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes bnd say of every bundle what it carries: {@code Bundle-License} names each library with its
 * version and license, {@code META-INF/NOTICE} where it comes from, and the texts are in {@code
 * META-INF/licenses}. A library that {@code licenses/libraries.txt} does not have is an error.
 */
public final class Licenses implements AnalyzerPlugin {
  private static final String OURS = "Apache-2.0";

  /** Created by bnd, by its name in {@code -plugin}. */
  public Licenses() {}

  @Override
  public boolean analyzeJar(Analyzer analyzer) throws Exception {
    Libraries known = Libraries.above(analyzer.getBase().toPath());
    String bundle = analyzer.getBsn();
    List<String> strange = new ArrayList<>();
    List<Library> libraries = new ArrayList<>();
    EmbeddedJars carried = new EmbeddedJars(analyzer.getClasspath());
    for (Path jar : carried.in(analyzer.getJar(), bundle, strange)) {
      known
          .of(jar)
          .ifPresentOrElse(
              libraries::add,
              () ->
                  analyzer.error(
                      "%s carries %s, whose license is not in licenses/%s",
                      bundle, jar.getFileName(), Libraries.LIST));
    }
    if (!strange.isEmpty()) {
      analyzer.error(
          "%s carries %s%s, of no dependency (left from an earlier build? mvn clean)",
          bundle,
          strange.get(0),
          strange.size() == 1 ? "" : " and " + (strange.size() - 1) + " more");
    }
    analyzer.setProperty("Bundle-License", header(bundle, libraries));
    put(analyzer, "META-INF/LICENSE", Files.readAllBytes(known.folder().resolveSibling("LICENSE")));
    if (!libraries.isEmpty()) {
      put(
          analyzer,
          "META-INF/NOTICE",
          Notice.of(bundle, libraries).getBytes(StandardCharsets.UTF_8));
    }
    for (var text : texts(known, libraries).entrySet()) {
      put(analyzer, "META-INF/licenses/" + text.getKey(), text.getValue());
    }
    return false;
  }

  private static Map<String, byte[]> texts(Libraries known, List<Library> libraries)
      throws IOException {
    Map<String, byte[]> all = new TreeMap<>();
    LicenseTexts texts = new LicenseTexts(known.folder());
    for (Library library : libraries) {
      all.putAll(texts.of(library));
    }
    return all;
  }

  private static void put(Analyzer analyzer, String path, byte[] content) {
    analyzer.getJar().putResource(path, new EmbeddedResource(content, 0L), true);
  }

  /** Returns the license of the bundle itself, then each other license with its libraries. */
  static String header(String bundle, List<Library> libraries) {
    Map<String, Set<String>> names = new TreeMap<>();
    for (Library library : libraries) {
      for (String license : library.family().licenses()) {
        names.computeIfAbsent(license, key -> new TreeSet<>()).add(library.name());
      }
    }
    List<String> clauses = new ArrayList<>();
    clauses.add(clause(OURS, bundle, names.remove(OURS)));
    names.forEach((license, under) -> clauses.add(clause(license, "", under)));
    return String.join(",", clauses);
  }

  private static String clause(String license, String first, @Nullable Set<String> more) {
    List<String> names = new ArrayList<>(more == null ? List.of() : more);
    if (!first.isEmpty()) {
      names.add(0, first);
    }
    String name = license.contains(" ") ? '"' + license + '"' : license;
    return name + ";description=\"" + String.join(", ", names) + "\"";
  }
}
