package roll.core.output;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * The lock of an output folder. The system holds {@code .lock} for the process and lets it go when
 * that dies, however it dies; {@code .owner} says in words who holds it: {@code <process> on <host>
 * since <time>}. It is read first, since a process that opens and closes a file which it has locked
 * loses the lock.
 */
final class FolderLock implements AutoCloseable {
  /** Names of the two lock files. */
  static final List<String> NAMES = List.of(".lock", ".owner");

  private final Path owner;
  private final FileChannel channel;
  private final @Nullable String crashed;
  private final @Nullable Object key;

  private FolderLock(
      Path owner, FileChannel channel, @Nullable String crashed, @Nullable Object key) {
    this.owner = owner;
    this.channel = channel;
    this.crashed = crashed;
    this.key = key;
  }

  /** Takes the lock of the output folder {@code folder}, as the other. */
  static FolderLock take(Path folder) throws IOException {
    return take(folder, "output folder");
  }

  /**
   * Locks the output folder {@code folder}.
   *
   * @param what it is called
   * @throws UserException naming who holds it
   * @throws IOException if the folder cannot be written, or its disk knows no locks
   */
  static FolderLock take(Path folder, String what) throws IOException {
    synchronized (FolderLock.class) {
      for (String name : NAMES) {
        RegularFile.require(folder.resolve(name));
      }
      Path owner = folder.resolve(NAMES.getLast());
      String holder = Files.exists(owner) ? Files.readString(owner).strip() : "";
      String me = me();
      if (holder.equals(me)) {
        throw taken(what, folder, holder);
      }
      FileChannel channel =
          FileChannel.open(
              folder.resolve(NAMES.getFirst()),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS);
      try {
        if (lock(channel) == null) {
          throw taken(what, folder, holder);
        }
        RegularFile.replace(owner, me + "\n");
        return new FolderLock(owner, channel, holder.isEmpty() ? null : holder, key(folder));
      } catch (Throwable e) {
        channel.close();
        throw e;
      }
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // something else in this process holds it
    }
  }

  private static UserException taken(String what, Path folder, String holder) {
    return new UserException(
        "%s %s is in use by %s"
            .formatted(what, folder, holder.isEmpty() ? "another run" : "process " + holder));
  }

  private static String me() {
    ProcessHandle process = ProcessHandle.current();
    Instant start = process.info().startInstant().orElse(Instant.EPOCH);
    LocalDateTime since =
        LocalDateTime.ofInstant(start, ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS);
    return "%d on %s since %s".formatted(process.pid(), host(), since);
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  /** The file key of the lock file of {@code folder}; null if the file system has none. */
  private static @Nullable Object key(Path folder) throws IOException {
    Path lock = folder.resolve(NAMES.getFirst());
    return Files.readAttributes(lock, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }

  /** Whether {@code folder} still has the file that is locked. */
  boolean holds(Path folder) {
    try {
      return Objects.equals(key, key(folder));
    } catch (IOException e) {
      return false;
    }
  }

  /** The owner that ended without releasing the lock, as recorded in the file, or null. */
  @Nullable String crashed() {
    return crashed;
  }

  /** Releases the lock and restores the record of a crashed owner; the files may be gone. */
  void giveBackAsItWas() {
    synchronized (FolderLock.class) {
      try (channel) {
        if (crashed != null) {
          RegularFile.replace(owner, crashed + "\n");
        } else {
          Files.deleteIfExists(owner);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Releases the lock of the output folder. */
  @Override
  public void close() {
    synchronized (FolderLock.class) {
      try (channel) {
        Files.deleteIfExists(owner);
      } catch (IOException e) {
        // the folder is gone or can no longer be written: the lock is given back all the same
      }
    }
  }
}
