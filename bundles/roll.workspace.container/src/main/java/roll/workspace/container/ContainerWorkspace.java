package roll.workspace.container;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import roll.api.workspace.CommandResult;
import roll.api.workspace.FileChange;
import roll.api.workspace.Workspace;
import roll.api.workspace.WorkspaceCommand;

/** A workspace in a container of its own. */
final class ContainerWorkspace implements Workspace {
  private final Container container;
  private final FileList beginning;
  private final Runnable ended;
  private final ContainerCommands commands;
  private final List<FileChannel> snapshots = new ArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Creates a workspace.
   *
   * @param beginning the files of the template
   * @param ended called when it is closed
   */
  ContainerWorkspace(Container container, FileList beginning, Runnable ended) {
    this.container = container;
    this.beginning = beginning;
    this.ended = ended;
    commands = new ContainerCommands(container);
  }

  @Override
  public String directory() {
    return container.directory();
  }

  @Override
  public CommandResult run(WorkspaceCommand command) throws IOException, InterruptedException {
    return commands.run(command);
  }

  @Override
  public void end() {
    commands.stop();
  }

  @Override
  public byte[] read(String path, long limit) throws IOException {
    return container.call(
        List.of("paths", "read"), directory(), checked(path), String.valueOf(limit));
  }

  @Override
  public void write(String path, byte[] bytes) throws IOException {
    container.call(List.of("paths", "write"), bytes, directory(), checked(path));
  }

  /** A program's argument ends at a zero. */
  private static String checked(String path) throws IOException {
    if (path.indexOf('\0') >= 0) {
      throw new IOException("a path has no zero character");
    }
    return path;
  }

  @Override
  public void copy(Path folder, String path) throws IOException {
    byte[] place = container.call(List.of("paths", "folder"), directory(), checked(path));
    container.copy(folder, FileList.text(place));
  }

  @Override
  public List<FileChange> diff() throws IOException {
    return beginning.changes(FileList.of(container));
  }

  @Override
  public int snapshot() throws IOException {
    Path file = Files.createTempFile("roll-workspace", ".tar");
    FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE); // Linux deletes the name at once
    snapshots.add(channel);
    container.save(input -> input.transferTo(Channels.newOutputStream(channel)));
    return snapshots.size();
  }

  @Override
  public void restore(int snapshot) throws IOException {
    if (snapshot < 1 || snapshot > snapshots.size()) {
      throw new IllegalArgumentException("no snapshot " + snapshot);
    }
    FileChannel channel = snapshots.get(snapshot - 1).position(0);
    byte[] unused = container.call(List.of("clear"), directory());
    container.load(output -> Channels.newInputStream(channel).transferTo(output));
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      container.close();
      for (FileChannel snapshot : snapshots) {
        try {
          snapshot.close();
        } catch (IOException e) {
          // it was deleted when it was opened
        }
      }
      ended.run();
    }
  }
}
