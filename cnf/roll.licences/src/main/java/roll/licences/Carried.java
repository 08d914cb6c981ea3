package roll.licences;

import aQute.bnd.osgi.Jar;
import aQute.bnd.osgi.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a jar carries of the jars it was built from: classes that it has from them, and whole jars.
 */
final class Carried {
  private static final String MULTI_RELEASE = "META-INF/versions/\\d+/";

  private final Map<String, List<Jar>> classes = new HashMap<>();
  private final List<Path> jars = new ArrayList<>();

  /** Looks among the jars of {@code classpath}; folders and jars of ours are not among them. */
  Carried(List<Jar> classpath) {
    for (Jar jar : classpath) {
      if (jar.getSource() != null && jar.getSource().isFile() && !ours(jar)) {
        jars.add(jar.getSource().toPath());
        for (String entry : jar.getResources().keySet()) {
          if (entry.endsWith(".class")) {
            classes
                .computeIfAbsent(entry.replaceFirst(MULTI_RELEASE, ""), key -> new ArrayList<>(1))
                .add(jar);
          }
        }
      }
    }
  }

  private static boolean ours(Jar jar) {
    return jar.getSource().getName().startsWith("roll.");
  }

  /**
   * The jars that {@code jar} has something of, sorted.
   *
   * @param own beginning of the names of its own packages
   * @param strange receives what comes from nowhere
   */
  List<Path> in(Jar jar, String own, List<String> strange) throws IOException {
    TreeSet<Path> found = new TreeSet<>();
    String ownFolder = own.replace('.', '/') + "/";
    for (Map.Entry<String, Resource> entry : new TreeMap<>(jar.getResources()).entrySet()) {
      String name = entry.getKey();
      if (name.endsWith(".jar")) {
        Path whole = whole(entry.getValue());
        if (whole == null) {
          strange.add(name);
        } else {
          found.add(whole);
        }
      } else if (name.endsWith(".class")
          && !name.startsWith(ownFolder)
          && !name.endsWith("-info.class")) {
        Jar source = source(name.replaceFirst(MULTI_RELEASE, ""), entry.getValue());
        if (source == null) {
          strange.add(name);
        } else {
          found.add(source.getSource().toPath());
        }
      }
    }
    return List.copyOf(found);
  }

  /** The jar that has this class; of several the one with as many bytes. */
  private @Nullable Jar source(String name, Resource content) {
    List<Jar> candidates = classes.getOrDefault(name, List.of());
    for (Jar candidate : candidates) {
      Resource there = candidate.getResource(name);
      if (there != null && size(there) == size(content)) {
        return candidate;
      }
    }
    return candidates.isEmpty() ? null : candidates.get(0);
  }

  private static long size(Resource resource) {
    try {
      return resource.size();
    } catch (Exception e) { // what bnd's interface declares
      throw new IllegalStateException(e);
    }
  }

  private @Nullable Path whole(Resource content) throws IOException {
    for (Path jar : jars) {
      if (Files.size(jar) == size(content) && same(jar, content)) {
        return jar;
      }
    }
    return null;
  }

  private static boolean same(Path jar, Resource content) throws IOException {
    try (InputStream one = Files.newInputStream(jar);
        InputStream other = content.openInputStream()) {
      return Arrays.equals(one.readAllBytes(), other.readAllBytes());
    } catch (IOException e) {
      throw e;
    } catch (Exception e) { // what bnd's interface declares
      throw new IllegalStateException(e);
    }
  }
}
