package roll.rollout.program;

import java.io.File;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.plugin.ProcessTag;

/**
 * Starts each program in its own session and process group if the system has {@code setsid}. The
 * terminal's signals do not reach them, and their descendants can be killed even after the program
 * itself has ended.
 */
final class ProcessGroup {
  private static final int SIGKILL = 9;

  private final @Nullable Path setsid;
  private final @Nullable MethodHandle kill;

  private ProcessGroup(@Nullable Path setsid, @Nullable MethodHandle kill) {
    this.setsid = setsid;
    this.kill = kill;
  }

  /** Returns the process groups of this system. */
  static ProcessGroup ofThisSystem() {
    Path found = find("setsid");
    return found == null ? new ProcessGroup(null, null) : new ProcessGroup(found, kill());
  }

  @SuppressWarnings("restricted") // a function of the C library
  private static @Nullable MethodHandle kill() {
    Linker linker = Linker.nativeLinker();
    FunctionDescriptor type =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    return linker
        .defaultLookup()
        .find("kill")
        .map(function -> linker.downcallHandle(function, type))
        .orElse(null);
  }

  /** Returns the executable file of {@code command} as {@link #find(String, String)}. */
  private static @Nullable Path find(String command) {
    return find(command, null);
  }

  /**
   * Returns the executable file of {@code command}, a path or a name on {@code folders}; null if
   * there is none.
   *
   * @param folders the folders of a PATH; null for that of this process
   */
  static @Nullable Path find(String command, @Nullable String folders) {
    if (command.indexOf(File.separatorChar) >= 0) {
      Path file = Path.of(command);
      return Files.isExecutable(file) && !Files.isDirectory(file) ? file : null;
    }
    String path = folders == null ? Objects.requireNonNullElse(System.getenv("PATH"), "") : folders;
    for (String folder : List.of(path.split(File.pathSeparator, -1))) {
      Path file = Path.of(folder.isEmpty() ? "." : folder, command);
      if (Files.isExecutable(file) && !Files.isDirectory(file)) {
        return file;
      }
    }
    return null;
  }

  /** Returns {@code command} with a prefix that makes it run in its own process group. */
  List<String> command(List<String> command) {
    if (setsid == null) {
      return command;
    }
    List<String> grouped = new ArrayList<>(List.of(setsid.toString()));
    grouped.addAll(command);
    return grouped;
  }

  /** Kills {@code leader}, which was started with {@code mark}, and its descendants. */
  void kill(Process leader, ProcessTag mark) {
    if (leader.isAlive()) { // listing descendants reads all processes of the system
      leader.descendants().forEach(ProcessHandle::destroyForcibly);
      leader.destroyForcibly();
    }
    if (kill != null) {
      try {
        var unused = (int) kill.invokeExact((int) -leader.pid(), SIGKILL);
      } catch (Throwable e) { // a native function throws nothing
        throw new IllegalStateException(e);
      }
    }
    mark.end(); // descendants that left the group
  }
}
