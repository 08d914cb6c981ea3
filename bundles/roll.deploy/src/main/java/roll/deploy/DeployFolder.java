package roll.deploy;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.option.UserException;

/**
 * The watched folder of bundle jars, and single jars of other folders that are treated like them.
 */
final class DeployFolder {
  private static final Logger LOG = LoggerFactory.getLogger("roll.deploy");

  private final BundleContext context;
  private final Path path;
  private final Set<Path> guests = ConcurrentHashMap.newKeySet();

  /** Bundle locations of all jars from outside the folder: their classes may outlive them. */
  private final Set<String> visited = ConcurrentHashMap.newKeySet();

  DeployFolder(BundleContext context, String path) {
    this.context = context;
    this.path = new File(path).getAbsoluteFile().toPath().normalize();
  }

  /** Size and time of a file, to detect changes. */
  record Stamp(long size, FileTime time) {}

  Path path() {
    return path;
  }

  /** Creates the folder if it is missing; where that fails there are no jars, but all else runs. */
  void create() {
    try {
      Files.createDirectories(path);
    } catch (IOException e) {
      LOG.warn("no plugins can be deployed: cannot create the folder {}: {}", path, e.toString());
    }
  }

  /** Treats {@code jar}, which is in another folder, like a jar in the folder. */
  void host(Path jar) {
    visited.add(location(jar));
    guests.add(jar);
  }

  /** Ends the effect of {@link #host} for {@code jar}. */
  void dismiss(Path jar) {
    guests.remove(jar);
  }

  /** Returns the jars in the folder and the guests. */
  Map<Path, Stamp> jars() {
    Map<Path, Stamp> jars = new TreeMap<>(own());
    for (Path guest : guests) {
      try {
        jars.put(guest, stamp(guest));
      } catch (IOException e) {
        // its owner has removed it
      }
    }
    return jars;
  }

  /** Returns the jars in the folder. */
  Map<Path, Stamp> own() {
    Map<Path, Stamp> jars = new TreeMap<>();
    if (!Files.isDirectory(path)) {
      return jars;
    }
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".jar")).toList()) {
        try {
          jars.put(file, stamp(file));
        } catch (NoSuchFileException e) {
          // removed meanwhile
        }
      }
    } catch (NoSuchFileException e) {
      return Map.of(); // the folder was removed meanwhile
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return jars;
  }

  static Stamp stamp(Path file) throws IOException {
    return new Stamp(Files.size(file), Files.getLastModifiedTime(file));
  }

  /** Returns the bundle location of {@code jar}. */
  static String location(Path jar) {
    return jar.toFile().toURI().toString();
  }

  /** Returns the bundle installed from {@code jar}, or null. */
  @Nullable Bundle bundle(Path jar) {
    return context.getBundle(location(jar));
  }

  /** Returns the jars in the folder with the symbolic name {@code name}. */
  Stream<Path> named(String name) {
    return own().keySet().stream()
        .filter(
            jar -> {
              try {
                return CandidateJar.read(jar).name().equals(name);
              } catch (UserException e) {
                return false;
              }
            });
  }

  /** Returns whether a bundle from here is stopping, which lasts until it is unused. */
  boolean stopping() {
    return jars().keySet().stream()
            .map(this::bundle)
            .anyMatch(bundle -> bundle != null && bundle.getState() == Bundle.STOPPING)
        || Stream.of(context.getBundles())
            .anyMatch(b -> b.getState() == Bundle.STOPPING && holds(b.getLocation()));
  }

  /** Returns whether the bundle with this location came from here. */
  boolean holds(String location) {
    String here = path.toFile().toURI().toString(); // ends with / only where the folder exists
    return visited.contains(location)
        || location.startsWith(here.endsWith("/") ? here : here + "/");
  }
}
