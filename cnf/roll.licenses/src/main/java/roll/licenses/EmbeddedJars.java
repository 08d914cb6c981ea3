package roll.licenses;

import aQute.bnd.osgi.FileResource;
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

/** Finds the jars whose content a jar includes: classes, files for browsers, and whole jars. */
final class EmbeddedJars {
  private static final String MULTI_RELEASE = "META-INF/versions/\\d+/";

  /** Folder of files for browsers (Servlet 6.0, section 4.6; webjars). */
  private static final String WEB = "META-INF/resources/";

  private final Map<String, List<Jar>> classes = new HashMap<>();
  private final Map<String, List<WebFile>> webFiles = new HashMap<>();
  private final List<Path> jars = new ArrayList<>();

  /** Searches the jars of {@code classpath}, except folders and this project's jars. */
  EmbeddedJars(List<Jar> classpath) {
    for (Jar jar : classpath) {
      if (jar.getSource() != null && jar.getSource().isFile() && !ours(jar)) {
        jars.add(jar.getSource().toPath());
        for (String entry : jar.getResources().keySet()) {
          if (entry.endsWith(".class")) {
            classes
                .computeIfAbsent(entry.replaceFirst(MULTI_RELEASE, ""), key -> new ArrayList<>(1))
                .add(jar);
          } else if (entry.startsWith(WEB)) {
            webFiles
                .computeIfAbsent(fileName(entry), key -> new ArrayList<>(1))
                .add(new WebFile(jar, entry));
          }
        }
      }
    }
  }

  private record WebFile(Jar jar, String entry) {}

  private static String fileName(String entry) {
    return entry.substring(entry.lastIndexOf('/') + 1);
  }

  private static boolean ours(Jar jar) {
    return jar.getSource().getName().startsWith("roll.");
  }

  /**
   * Returns the sorted jars of which {@code jar} includes something.
   *
   * @param own prefix of its own packages
   * @param strange receives content of unknown origin
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
      } else {
        Jar source = webSource(name, entry.getValue());
        if (source != null) {
          found.add(source.getSource().toPath());
        }
      }
    }
    return List.copyOf(found);
  }

  /** Returns the jar with this file for browsers, byte for byte; null without one. */
  private @Nullable Jar webSource(String name, Resource content) throws IOException {
    for (WebFile candidate : webFiles.getOrDefault(fileName(name), List.of())) {
      Resource there = candidate.jar().getResource(candidate.entry());
      if (there != null && size(there) == size(content) && same(there, content)) {
        return candidate.jar();
      }
    }
    return null;
  }

  /** Returns the jar with this class; of several the one with an equal size. */
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
    } catch (Exception e) { // declared by bnd's interface
      throw new IllegalStateException(e);
    }
  }

  private @Nullable Path whole(Resource content) throws IOException {
    for (Path jar : jars) {
      if (Files.size(jar) == size(content) && same(new FileResource(jar), content)) {
        return jar;
      }
    }
    return null;
  }

  private static boolean same(Resource one, Resource other) throws IOException {
    try (InputStream here = one.openInputStream();
        InputStream there = other.openInputStream()) {
      return Arrays.equals(here.readAllBytes(), there.readAllBytes());
    } catch (IOException e) {
      throw e;
    } catch (Exception e) { // declared by bnd's interface
      throw new IllegalStateException(e);
    }
  }
}
