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

/** Candidate folders for the files that a start writes, best first. */
final class WritableFolders {
  /** System property: the cache folder of a distribution in a folder. */
  static final String CACHE = "roll.cache.dir";

  private static final Path MEMORY = Path.of("/dev/shm");

  /** Free memory that the framework may need; the Python interpreter's library alone has 27 MB. */
  private static final long ROOM = 256L << 20;

  private static final Set<PosixFilePermission> OWNERS =
      PosixFilePermissions.fromString("rwx------");

  private WritableFolders() {}

  /**
   * Returns the folders for the bundles of {@code jar}: the one the script names, else the user's.
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

  /** Returns the folders for the framework's files: in memory, else in {@code cache}. */
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
   * Creates a folder if it is missing. One in a shared folder must be owned by this user and not
   * accessible to others, because its contents are executed.
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
        throw new FileSystemException(folder.toString(), null, "is not owned by this user alone");
      }
    }
  }

  /** Returns the reason why {@code home} is not usable, in a few words. */
  static String reason(Path home, IOException failure) {
    String why =
        failure instanceof FileSystemException file
            ? file.getReason() == null ? file.getClass().getSimpleName() : file.getReason()
            : failure.getMessage();
    return home + ": " + why;
  }
}
