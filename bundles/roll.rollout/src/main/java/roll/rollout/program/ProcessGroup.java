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
 * Starts programs in a group of their own, where the system has {@code setsid}, so that whatever
 * they start can be killed with them, also when they have ended themselves.
 */
final class ProcessGroup {
  private static final int SIGKILL = 9;

  private final @Nullable Path setsid;
  private final @Nullable MethodHandle kill;

  private ProcessGroup(@Nullable Path setsid, @Nullable MethodHandle kill) {
    this.setsid = setsid;
    this.kill = kill;
  }

  /** As this system can. */
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

  /** The executable file that {@code command} names on the PATH or by its path; null for none. */
  static @Nullable Path find(String command) {
    if (command.indexOf(File.separatorChar) >= 0) {
      Path file = Path.of(command);
      return Files.isExecutable(file) && !Files.isDirectory(file) ? file : null;
    }
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    for (String folder : List.of(path.split(File.pathSeparator, -1))) {
      Path file = Path.of(folder.isEmpty() ? "." : folder, command);
      if (Files.isExecutable(file) && !Files.isDirectory(file)) {
        return file;
      }
    }
    return null;
  }

  /** {@code command} in a group of its own. */
  List<String> command(List<String> command) {
    if (setsid == null) {
      return command;
    }
    List<String> grouped = new ArrayList<>(List.of(setsid.toString()));
    grouped.addAll(command);
    return grouped;
  }

  /** Kills {@code leader}, which this started with {@code mark}, and what it has started. */
  void kill(Process leader, ProcessTag mark) {
    if (leader.isAlive()) { // to look for descendants takes a look at all processes there are
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
    mark.end(); // what has left the group
  }
}
