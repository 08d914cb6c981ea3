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
import roll.api.option.UserException;

/** The folder whose jars are bundles, and single jars elsewhere that are treated like them. */
final class DeployFolder {
  private final BundleContext context;
  private final Path path;
  private final Set<Path> guests = ConcurrentHashMap.newKeySet();

  /** Locations of all guests that there ever were: their classes may outlive them. */
  private final Set<String> visited = ConcurrentHashMap.newKeySet();

  DeployFolder(BundleContext context, String path) {
    this.context = context;
    this.path = new File(path).getAbsoluteFile().toPath().normalize();
  }

  /** What tells that a file has changed. */
  record Stamp(long size, FileTime time) {}

  Path path() {
    return path;
  }

  /** Makes the folder where it is missing. */
  void create() {
    try {
      Files.createDirectories(path);
    } catch (IOException e) {
      throw new UserException("cannot make the folder " + path + " for plugins: " + e, e);
    }
  }

  /** From now on {@code jar}, which lies elsewhere, is treated like one in the folder. */
  void host(Path jar) {
    visited.add(location(jar));
    guests.add(jar);
  }

  /** From now on {@code jar} is none of the folder's. */
  void dismiss(Path jar) {
    guests.remove(jar);
  }

  /** The jars in it now, and guests. */
  Map<Path, Stamp> jars() {
    Map<Path, Stamp> jars = new TreeMap<>(own());
    for (Path guest : guests) {
      try {
        jars.put(guest, stamp(guest));
      } catch (IOException e) {
        // whoever brought it has taken it away
      }
    }
    return jars;
  }

  /** The jars in it now. */
  Map<Path, Stamp> own() {
    Map<Path, Stamp> jars = new TreeMap<>();
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".jar")).toList()) {
        try {
          jars.put(file, stamp(file));
        } catch (NoSuchFileException e) {
          // removed a moment ago
        }
      }
    } catch (NoSuchFileException e) {
      return Map.of(); // a folder that is not there holds nothing
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return jars;
  }

  static Stamp stamp(Path file) throws IOException {
    return new Stamp(Files.size(file), Files.getLastModifiedTime(file));
  }

  /** Where the bundle of {@code jar} comes from, as the framework has it. */
  static String location(Path jar) {
    return jar.toFile().toURI().toString();
  }

  /** The bundle that was installed from {@code jar}, or null. */
  @Nullable Bundle bundle(Path jar) {
    return context.getBundle(location(jar));
  }

  /** The jars in it whose symbolic name is {@code name}; broken ones have none. */
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

  /** Whether some bundle from here is being stopped, which lasts until nobody uses it any more. */
  boolean stopping() {
    return jars().keySet().stream()
            .map(this::bundle)
            .anyMatch(bundle -> bundle != null && bundle.getState() == Bundle.STOPPING)
        || Stream.of(context.getBundles())
            .anyMatch(b -> b.getState() == Bundle.STOPPING && holds(b.getLocation()));
  }

  /** Whether a bundle of this location came from here. */
  boolean holds(String location) {
    String here = path.toFile().toURI().toString(); // ends with / only where the folder exists
    return visited.contains(location)
        || location.startsWith(here.endsWith("/") ? here : here + "/");
  }
}
