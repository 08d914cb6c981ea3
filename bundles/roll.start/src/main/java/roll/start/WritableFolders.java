package roll.start;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;

/** Folders for what a start writes, the best first. */
final class WritableFolders {
  /** System property: where the bundles are unpacked, for a distribution in a folder. */
  static final String CACHE = "roll.cache.dir";

  private static final Path MEMORY = Path.of("/dev/shm");

  /** What the framework may come to need in memory: the Python interpreter's library has 27 MB. */
  private static final long ROOM = 256L << 20;

  private static final Set<PosixFilePermission> OWNERS =
      PosixFilePermissions.fromString("rwx------");

  private WritableFolders() {}

  /**
   * For the bundles of {@code jar}: beside it where the script says so, otherwise the user's own.
   */
  static List<Path> caches(Path jar) {
    List<Path> places = new ArrayList<>();
    String given = System.getProperty(CACHE);
    if (given != null) {
      places.add(Path.of(given).toAbsolutePath());
    }
    CRC32 place = new CRC32();
    place.update(jar.toAbsolutePath().toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    String name = jar.getFileName() + "-" + Long.toHexString(place.getValue());
    places.add(userCache().resolve("roll").resolve(name));
    places.add(temporary().resolve(name));
    return places;
  }

  /** For the files of a framework: in memory, otherwise with the bundles in {@code cache}. */
  static List<Path> storages(Path cache) {
    List<Path> places = new ArrayList<>();
    if (MEMORY.toFile().getUsableSpace() >= ROOM) {
      places.add(MEMORY.resolve(owned()));
    }
    places.add(cache.resolve("run"));
    places.add(temporary().resolve("run"));
    return places;
  }

  private static Path userCache() {
    String given = System.getenv("XDG_CACHE_HOME");
    return given != null && given.startsWith("/")
        ? Path.of(given)
        : Path.of(System.getProperty("user.home"), ".cache");
  }

  private static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath().resolve(owned());
  }

  private static String owned() {
    return "roll-" + System.getProperty("user.name");
  }

  /**
   * Makes a folder if there is none. One that others could have made, in a folder of all users,
   * must be this user's own: what is in it is run.
   */
  static void create(Path folder) throws IOException {
    for (Path p = folder; p != null; p = p.getParent()) {
      if (p.endsWith(owned())) {
        createOwned(p);
      }
    }
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
    }
  }

  private static void createOwned(Path folder) throws IOException {
    try {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNERS));
    } catch (FileAlreadyExistsException e) {
      var there =
          Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!there.isDirectory()
          || !there.permissions().equals(OWNERS)
          || !there.owner().getName().equals(System.getProperty("user.name"))) {
        throw new FileSystemException(folder.toString(), null, "is not this user's alone");
      }
    }
  }

  /** Why {@code home} will not do, in a few words. */
  static String reason(Path home, IOException failure) {
    String why =
        failure instanceof FileSystemException file
            ? file.getReason() == null ? file.getClass().getSimpleName() : file.getReason()
            : failure.getMessage();
    return home + ": " + why;
  }
}
