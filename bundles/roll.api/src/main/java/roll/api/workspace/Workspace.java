package roll.api.workspace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * The directory tree of one episode. Paths are relative to it or absolute as its commands see them;
 * a path that leads outside, also by a link, is refused with an IOException. Used by one thread at
 * a time, but for {@link #end}.
 */
@ConsumerType
public interface Workspace extends AutoCloseable {
  /** The absolute path of the directory as its commands see it, their working directory. */
  String directory();

  /**
   * Runs a command until it ends or exceeds a limit; processes it leaves behind are ended with it.
   *
   * @throws IOException if the workspace is lost, not if the command fails
   * @throws InterruptedException if interrupted; the command is ended
   */
  CommandResult run(WorkspaceCommand command) throws IOException, InterruptedException;

  /** Ends the command that runs, if there is one; the workspace stays. Called from any thread. */
  void end();

  /**
   * Returns the bytes of a file.
   *
   * @throws IOException if it is missing, not a regular file, or longer than {@code limit}
   */
  byte[] read(String path, long limit) throws IOException;

  /** Writes a file with its missing directories; keeps the mode of one that exists. */
  void write(String path, byte[] bytes) throws IOException;

  /**
   * Copies a folder of this machine into the directory {@code path}; existing files are replaced.
   */
  void copy(Path folder, String path) throws IOException;

  /** Returns the files that differ from the template, sorted by path. */
  List<FileChange> diff() throws IOException;

  /** Keeps the present files under a number of this workspace. */
  int snapshot() throws IOException;

  /**
   * Returns all files to a snapshot, which stays.
   *
   * @throws IllegalArgumentException if there is none of this number
   */
  void restore(int snapshot) throws IOException;

  /** Ends its processes and deletes it. */
  @Override
  void close();
}
