package roll.workspace.local;

import static roll.workspace.local.WorkspaceChannel.bytes;
import static roll.workspace.local.WorkspaceChannel.text;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import roll.api.workspace.CommandResult;
import roll.api.workspace.CommandResult.Outcome;
import roll.api.workspace.FileChange;
import roll.api.workspace.Workspace;
import roll.api.workspace.WorkspaceCommand;

/** A workspace whose files and commands are those of a process. */
final class LocalWorkspace implements Workspace {
  private final WorkspaceChannel channel;
  private final String directory;
  private final Runnable ended;
  private int snapshots;
  private boolean closed;

  /**
   * Creates a workspace.
   *
   * @param directory its directory as its commands see it
   * @param ended called when it is closed
   */
  LocalWorkspace(WorkspaceChannel channel, String directory, Runnable ended) {
    this.channel = channel;
    this.directory = directory;
    this.ended = ended;
  }

  @Override
  public String directory() {
    return directory;
  }

  @Override
  public CommandResult run(WorkspaceCommand command) throws IOException, InterruptedException {
    List<byte[]> fields = new ArrayList<>();
    fields.add(bytes(command.time().toMillis()));
    fields.add(bytes(command.output()));
    fields.add(bytes(command.words().size()));
    command.words().forEach(word -> fields.add(bytes(word)));
    command.environment().forEach((name, value) -> fields.add(bytes(name + "=" + value)));
    try {
      List<byte[]> answer = channel.ask("run", fields.toArray(byte[][]::new));
      return new CommandResult(
          Outcome.valueOf(text(answer.get(0))),
          Integer.parseInt(text(answer.get(1))),
          text(answer.get(3)),
          Long.parseLong(text(answer.get(2))));
    } catch (ClosedByInterruptException e) {
      Thread.interrupted();
      throw new InterruptedException("the command was ended, its workspace with it");
    }
  }

  @Override
  public void end() {
    try {
      channel.send("end");
    } catch (IOException e) {
      // all its commands have ended
    }
  }

  @Override
  public byte[] read(String path, long limit) throws IOException {
    return channel.ask("read", path(path), bytes(limit)).getFirst();
  }

  @Override
  public void write(String path, byte[] bytes) throws IOException {
    channel.ask("write", path(path), bytes);
  }

  /** Returns the bytes of a path, which the system ends at a zero. */
  private static byte[] path(String path) throws IOException {
    if (path.indexOf('\0') >= 0) {
      throw new IOException("a path has no zero character");
    }
    return bytes(path);
  }

  @Override
  public void copy(Path folder, String path) throws IOException {
    put("folder", path, 0, new byte[0]);
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path found, BasicFileAttributes a)
              throws IOException {
            put("folder", below(found), 0, new byte[0]);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path found, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isSymbolicLink()) {
              put("link", below(found), 0, bytes(Files.readSymbolicLink(found).toString()));
            } else if (attributes.isRegularFile()) {
              Object mode = Files.getAttribute(found, "unix:mode", LinkOption.NOFOLLOW_LINKS);
              put("file", below(found), (Integer) mode & 0777, Files.readAllBytes(found));
            }
            return FileVisitResult.CONTINUE;
          }

          private String below(Path found) {
            String name = folder.relativize(found).toString();
            return name.isEmpty() ? path : path.isEmpty() ? name : path + "/" + name;
          }
        });
  }

  private void put(String kind, String path, int mode, byte[] content) throws IOException {
    channel.ask("put", bytes(kind), path(path), bytes(mode), content);
  }

  @Override
  public List<FileChange> diff() throws IOException {
    List<byte[]> answer = channel.ask("diff");
    List<FileChange> changes = new ArrayList<>();
    for (int i = 0; i < answer.size(); i += 2) {
      FileChange.Kind kind = FileChange.Kind.valueOf(text(answer.get(i)));
      changes.add(new FileChange(text(answer.get(i + 1)), kind));
    }
    return changes;
  }

  @Override
  public int snapshot() throws IOException {
    snapshots = Integer.parseInt(text(channel.ask("snapshot").getFirst()));
    return snapshots;
  }

  @Override
  public void restore(int snapshot) throws IOException {
    if (snapshot < 1 || snapshot > snapshots) {
      throw new IllegalArgumentException("no snapshot " + snapshot);
    }
    channel.ask("restore", bytes(snapshot));
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      channel.close();
      ended.run();
    }
  }
}
