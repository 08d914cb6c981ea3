package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import aQute.bnd.header.Attrs;
import aQute.bnd.header.OSGiHeader;
import aQute.bnd.header.Parameters;
import aQute.bnd.version.VersionRange;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Manifest;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Interfaces for plugins and interfaces implemented by roll are distinguished. */
class ContractTest {
  private static final String CONSUMER = "Lorg/osgi/annotation/versioning/ConsumerType;";
  private static final String PROVIDER = "Lorg/osgi/annotation/versioning/ProviderType;";
  private static final Pattern IMPLEMENTED = Pattern.compile("\\bimplements ([\\w, ]+)");

  /**
   * Packages with both kinds, whose provider types are implemented in the same build. Do not add
   * any.
   */
  private static final Set<String> MIXED =
      Set.of("roll/api/reward", "roll/api/rollout", "roll/runtime/plugin", "roll/runtime/worker");

  /** Every exported interface is annotated, since otherwise an added method is a major step. */
  @Test
  void everyExportedInterfaceSaysWhoImplementsIt() throws IOException {
    Set<String> silent = new TreeSet<>();
    for (ClassModel type : interfaces()) {
      if (says(type, CONSUMER) == says(type, PROVIDER)) {
        silent.add(type.thisClass().asInternalName());
      }
    }
    assertEquals(Set.of(), silent);
  }

  /**
   * A package has one kind of interfaces; otherwise implementers of the second are bound to the
   * first.
   */
  @Test
  void packagesAreForPluginsOrForRoll() throws IOException {
    Map<String, Set<String>> kinds = new TreeMap<>();
    for (ClassModel type : interfaces()) {
      String name = type.thisClass().asInternalName();
      if (name.startsWith("roll/api/") || name.startsWith("roll/runtime/")) {
        kinds
            .computeIfAbsent(name.replaceFirst("/[^/]*$", ""), _ -> new TreeSet<>())
            .add(says(type, CONSUMER) ? CONSUMER : PROVIDER);
      }
    }
    kinds.values().removeIf(kind -> kind.size() == 1);
    assertEquals(MIXED, kinds.keySet());
  }

  /** bnd binds implementers of a provider type to the minor version. */
  @Test
  void pluginsRunAfterMinorSteps() throws IOException {
    Map<String, Set<String>> bound = new TreeMap<>();
    int found = 0;
    for (Path bundle : HouseTest.bundles()) {
      if (plugin(bundle)) {
        found++;
        Set<String> narrow = new TreeSet<>();
        for (Map.Entry<String, Attrs> used : header(bundle, "Import-Package").entrySet()) {
          if (used.getKey().startsWith("roll.")) {
            VersionRange range = new VersionRange(used.getValue().getVersion());
            if (range.getHigh().getMajor() == range.getLow().getMajor()) {
              narrow.add(used.getKey() + " " + range);
            }
          }
        }
        bound.put(bundle.getFileName().toString(), narrow);
      }
    }
    bound.values().removeIf(Set::isEmpty);
    assertEquals(Map.of(), bound);
    assertTrue(found > 60, "found only " + found);
  }

  /** Templates, which are no bundles, implement none of roll's own interfaces. */
  @Test
  void templatesImplementNothingOfRolls() throws IOException {
    Set<String> providers =
        interfaces().stream()
            .filter(type -> says(type, PROVIDER))
            .map(type -> type.thisClass().asInternalName().replaceFirst(".*[/$]", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> implemented = new TreeSet<>();
    try (Stream<Path> files = Files.walk(HouseTest.ROOT.resolve("cnf/templates"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        for (MatchResult found : IMPLEMENTED.matcher(Files.readString(file)).results().toList()) {
          implemented.addAll(List.of(found.group(1).strip().split("\\s*,\\s*")));
        }
      }
    }
    assertTrue(implemented.contains("TrainStrategy"), implemented::toString);
    implemented.retainAll(providers);
    assertEquals(Set.of(), implemented);
  }

  private static boolean plugin(Path bundle) throws IOException {
    return !bundle.getParent().endsWith("bundles")
        || Files.readString(bundle.resolve("pom.xml")).contains("<artifactId>roll-plugin<");
  }

  private static Parameters header(Path bundle, String name) throws IOException {
    Path manifest = bundle.resolve("target/classes/META-INF/MANIFEST.MF");
    if (!Files.exists(manifest)) {
      return new Parameters();
    }
    try (InputStream in = Files.newInputStream(manifest)) {
      return OSGiHeader.parseHeader(new Manifest(in).getMainAttributes().getValue(name));
    }
  }

  /** Returns all exported interfaces of this project's bundles. */
  private static List<ClassModel> interfaces() throws IOException {
    List<ClassModel> all = new ArrayList<>();
    for (Path bundle : HouseTest.bundles()) {
      for (String exported : header(bundle, "Export-Package").keySet()) {
        Path folder = bundle.resolve("target/classes").resolve(exported.replace('.', '/'));
        if (exported.startsWith("roll.")) {
          try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
              all.add(ClassFile.of().parse(file));
            }
          }
        }
      }
    }
    all.removeIf(
        type ->
            !flag(type, ClassFile.ACC_INTERFACE)
                || !flag(type, ClassFile.ACC_PUBLIC)
                || flag(type, ClassFile.ACC_ANNOTATION));
    assertTrue(all.size() > 70, "found only " + all.size());
    return all;
  }

  private static boolean flag(ClassModel type, int flag) {
    return (type.flags().flagsMask() & flag) != 0;
  }

  private static boolean says(ClassModel type, String annotation) {
    return type.findAttribute(Attributes.runtimeInvisibleAnnotations()).stream()
        .flatMap(all -> all.annotations().stream())
        .anyMatch(said -> said.className().stringValue().equals(annotation));
  }
}
