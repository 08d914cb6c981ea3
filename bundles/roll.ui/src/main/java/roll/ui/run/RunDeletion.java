package roll.ui.run;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import roll.http.HttpRefusal;
import roll.runtime.pipeline.TrainingRun;

/** Deletes the folder of a run that has ended. Links in it are removed, not followed. */
public final class RunDeletion {
  private RunDeletion() {}

  /**
   * Deletes the folder of {@code entry}.
   *
   * @throws HttpRefusal 409 if a process writes into it or a folder in it, or it is a link
   * @throws IOException if it cannot be deleted; its rest is then in a hidden folder beside it
   */
  public static void delete(RunEntry entry) throws IOException {
    Path folder = entry.folder();
    requireEnded(entry);
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      throw new HttpRefusal(409, folder + " is a link; delete it yourself");
    }
    FileChannel lock = locked(folder);
    try (lock) { // held until all is gone
      Path beside = folder.resolveSibling(".deleted-" + UUID.randomUUID());
      Files.move(folder, beside, StandardCopyOption.ATOMIC_MOVE);
      Files.walkFileTree(beside, new Remover());
    }
  }

  private static void requireEnded(RunEntry entry) throws IOException {
    TrainingRun run = entry.run();
    if (run != null && run.status().state().active()) {
      throw running(entry.folder(), FolderOwner.line(entry.folder()));
    }
    Files.walkFileTree(entry.folder(), new OwnerCheck());
  }

  private static HttpRefusal running(Path folder, @Nullable String owner) {
    return new HttpRefusal(
        409, "the run in " + folder + " is running" + (owner == null ? "" : ": " + owner));
  }

  /** Takes the lock of a run, so that none begins there; null where no run had one. */
  private static @Nullable FileChannel locked(Path folder) throws IOException {
    Path file = folder.resolve(".lock");
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return null;
    }
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // refused below
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw running(folder, null);
  }

  /** Refuses a folder that a process owns. */
  private static final class OwnerCheck extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes is)
        throws IOException {
      String owner = FolderOwner.line(folder);
      if (owner != null) {
        throw running(folder, owner);
      }
      return FileVisitResult.CONTINUE;
    }
  }

  private static final class Remover extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes is) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.delete(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
