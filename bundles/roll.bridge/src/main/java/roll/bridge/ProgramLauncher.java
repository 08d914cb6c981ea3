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

/** Starts programs in sessions of their own, with limits, and ends them with all they started. */
final class ProgramLauncher {
  private static final Path SHELL = Path.of("/bin/sh");
  private static final List<Path> SETSID =
      List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));

  /** What a program needs to find itself and its libraries; no keys and tokens. */
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

  /** The same order in sets each time; many programs share the processors. */
  private static final Map<String, String> USUAL =
      Map.of(
          "PYTHONHASHSEED", "0",
          "PYTHONIOENCODING", "utf-8",
          "OMP_NUM_THREADS", "1",
          "OPENBLAS_NUM_THREADS", "1",
          "MKL_NUM_THREADS", "1");

  private ProgramLauncher() {}

  /** The program of {@code setsid}, where there is one. */
  private static Stream<Path> setsid() {
    return SETSID.stream().filter(Files::isExecutable).limit(1);
  }

  /**
   * Starts the program at {@code place}. An interrupt at the terminal is not for it: it ends with
   * what uses it.
   *
   * @throws IOException if it cannot be started, or there is no shell to set its limits
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
   * A program that runs.
   *
   * @param process its first process
   * @param mark what all that it starts has
   */
  record Started(Process process, ProcessTag mark) {
    /** Ends it at once, its children, what is in its session, and what has left that. */
    void end() {
      List<ProcessHandle> children = process.descendants().toList();
      process.toHandle().destroyForcibly();
      children.forEach(ProcessHandle::destroyForcibly);
      if (setsid().findAny().isPresent()) {
        endGroup(process.pid());
      }
      mark.end();
      Process _ = process.destroyForcibly(); // closes its input, which whoever reads that hinders
    }
  }

  /** Children whose parents ended before are nobody's descendants; the group still has them. */
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
      // no shell: its descendants have ended all the same
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
