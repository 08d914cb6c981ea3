package roll.bridge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import roll.api.plugin.ProcessTag;

/**
 * Starts programs in sessions of their own, with limits, and ends them with all their processes.
 */
final class ProgramLauncher {
  private static final Path SHELL = Path.of("/bin/sh");
  private static final List<Path> SETSID =
      List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));

  /** Inherited variables, without keys and tokens. */
  private static final List<String> HANDED_ON =
      List.of(
          "PATH",
          "HOME",
          "USER",
          "LOGNAME",
          "SHELL",
          "TMPDIR",
          "LANG",
          "LC_ALL",
          "TZ",
          "VIRTUAL_ENV",
          "CONDA_PREFIX",
          "PYTHONPATH",
          "LD_LIBRARY_PATH",
          "CUDA_VISIBLE_DEVICES",
          "SystemRoot",
          "TEMP",
          "TMP",
          "USERPROFILE");

  /**
   * Default environment variables of programs: deterministic hashing, and one thread, since many
   * programs share the cores.
   */
  private static final Map<String, String> USUAL =
      Map.of(
          "PYTHONHASHSEED", "0",
          "PYTHONIOENCODING", "utf-8",
          "OMP_NUM_THREADS", "1",
          "OPENBLAS_NUM_THREADS", "1",
          "MKL_NUM_THREADS", "1");

  private ProgramLauncher() {}

  /** Returns the path of {@code setsid}, if it exists. */
  private static Stream<Path> setsid() {
    return SETSID.stream().filter(Files::isExecutable).limit(1);
  }

  /**
   * Starts a program, which does not receive interrupts of the terminal.
   *
   * @throws IOException if it cannot be started, or there is no shell for its limits
   */
  static Started start(ProgramCommand place) throws IOException {
    List<String> command = new ArrayList<>();
    setsid().forEach(path -> command.add(path.toString()));
    List<String> limits = place.limits().shellCalls();
    if (!limits.isEmpty()) {
      if (!Files.isExecutable(SHELL)) {
        throw new IOException("limits need " + SHELL + ", which is not there");
      }
      String calls = String.join(" && ", limits) + " && exec \"$@\"";
      command.addAll(List.of(SHELL.toString(), "-c", calls, "sh"));
    }
    command.addAll(place.command());
    ProcessBuilder builder = new ProcessBuilder(command);
    if (place.folder() != null) {
      builder.directory(place.folder().toFile());
    }
    Map<String, String> env = builder.environment();
    env.keySet().retainAll(HANDED_ON);
    env.putAll(USUAL);
    env.putAll(place.env());
    ProcessTag mark = ProcessTag.on(builder);
    return new Started(builder.start(), mark);
  }

  /**
   * A running program.
   *
   * @param process first process
   * @param mark tag of all processes that it starts
   */
  record Started(Process process, ProcessTag mark) {
    /**
     * Ends all processes of the program: children, those of its session, and those that have left
     * it.
     */
    void end() {
      List<ProcessHandle> children = process.descendants().toList();
      process.toHandle().destroyForcibly();
      children.forEach(ProcessHandle::destroyForcibly);
      if (setsid().findAny().isPresent()) {
        endGroup(process.pid());
      }
      mark.end();
      Process _ = process.destroyForcibly(); // also closes its streams
    }
  }

  /** Ends the process group, which includes children whose parents have ended. */
  private static void endGroup(long group) {
    try {
      Process kill =
          new ProcessBuilder(SHELL.toString(), "-c", "kill -9 -" + group)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!kill.waitFor(5, TimeUnit.SECONDS)) {
        kill.destroyForcibly();
      }
    } catch (IOException e) {
      // no shell; descendants have been ended
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
