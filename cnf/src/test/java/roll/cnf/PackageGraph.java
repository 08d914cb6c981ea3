package roll.cnf;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The dependencies of this project's packages, according to the compiled classes. */
final class PackageGraph {
  private static final Pattern TYPE = Pattern.compile("(?:^|[L<;\\[(])(roll/[\\w/]+)/[A-Z]\\w*");

  private final Map<String, Set<String>> uses = new TreeMap<>();

  /** Returns the graph of all classes below {@code folders}. */
  static PackageGraph of(List<Path> folders) throws IOException {
    PackageGraph graph = new PackageGraph();
    for (Path folder : folders) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
          graph.add(ClassFile.of().parse(file));
        }
      }
    }
    return graph;
  }

  private void add(ClassModel type) {
    String name = type.thisClass().asInternalName();
    String own = name.substring(0, name.lastIndexOf('/')).replace('/', '.');
    if (!own.startsWith("roll.")) {
      return; // a library inside a bundle
    }
    Set<String> used = uses.computeIfAbsent(own, key -> new TreeSet<>());
    type.constantPool()
        .forEach(
            entry -> {
              if (entry instanceof Utf8Entry text) {
                Matcher found = TYPE.matcher(text.stringValue());
                while (found.find()) {
                  used.add(found.group(1).replace('/', '.'));
                }
              }
            });
    used.remove(own);
  }

  /** Returns all packages. */
  Set<String> packages() {
    return uses.keySet();
  }

  /** Returns all used packages. */
  Set<String> used() {
    Set<String> all = new TreeSet<>();
    uses.values().forEach(all::addAll);
    return all;
  }

  /** Returns each package in a cycle with one such cycle. */
  List<String> cycles() {
    List<String> cycles = new ArrayList<>();
    for (String start : uses.keySet()) {
      List<String> way = way(start, start, new TreeSet<>());
      if (!way.isEmpty()) {
        cycles.add(start + " -> " + String.join(" -> ", way));
      }
    }
    return cycles;
  }

  private List<String> way(String from, String to, Set<String> seen) {
    for (String next : uses.getOrDefault(from, Set.of())) {
      if (next.equals(to)) {
        return List.of(to);
      }
      if (uses.containsKey(next) && seen.add(next)) {
        List<String> rest = way(next, to, seen);
        if (!rest.isEmpty()) {
          List<String> way = new ArrayList<>(List.of(next));
          way.addAll(rest);
          return way;
        }
      }
    }
    return List.of();
  }
}
