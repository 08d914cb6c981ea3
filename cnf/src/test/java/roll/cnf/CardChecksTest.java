package roll.cnf;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertLinesMatch;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code cnf/card/Card.java} over programs that fail, crash and hang in place of roll. */
@Tag("processes")
@EnabledOnOs(value = OS.LINUX, disabledReason = "the programs are shell scripts")
class CardChecksTest {
  private static final Path ROOT = Path.of(System.getProperty("roll.root"));

  @TempDir static Path classes;
  @TempDir Path root;

  private record Said(int status, List<String> lines) {}

  @BeforeAll
  static void compile() throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-d", classes.toString()));
    try (Stream<Path> sources = Files.list(ROOT.resolve("cnf/card"))) {
      sources.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(arguments::add);
    }
    String[] given = arguments.toArray(String[]::new);
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, given));
  }

  @BeforeEach
  void models() throws IOException {
    Files.createDirectories(root.resolve("configs/models"));
  }

  private Said card(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", classes.toString(), "Card"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(root.toFile()).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), text.lines().map(String::strip).toList());
  }

  private void roll(String script) throws IOException {
    Path roll = Files.writeString(root.resolve("roll"), "#!/bin/sh\n" + script);
    assertTrue(roll.toFile().setExecutable(true));
  }

  @Test
  void failuresAndCrashesAreLinesAndTheNextCheckRuns() throws Exception {
    roll(
        """
        case "$1" in
          devices)
            echo "0  cuda  NVIDIA H200"
            echo "libtorch 2.11.0 for CUDA 13.0: ${CUDA_VISIBLE_DEVICES:-none} hidden" ;;
          train)
            case "$*" in
              *exp_name=lora*)
                echo "# A fatal error has been detected by the Java Runtime Environment:"
                echo "#  SIGSEGV (0xb) at pc=0x00007f, pid=1, tid=2"
                echo "# Problematic frame:"
                echo "# C  [libtorch_cuda.so+0x1234]  attend+0x10"
                kill -ABRT $$ ;;
              *) echo "roll: out of memory"; exit 2 ;;
            esac ;;
        esac
        """);
    Said said = card("out", "devices", "train-fp32", "lora", "jobs=1");
    assertEquals(1, said.status());
    assertLinesMatch(
        List.of(
            "ok +\\d+.\\d s  devices",
            "0 cuda NVIDIA H200",
            "libtorch 2.11.0 for CUDA 13.0: none hidden",
            "\\$ ./roll devices",
            "failed +\\d+.\\d s  train-fp32",
            "status 2: roll: out of memory",
            "\\$ ./roll train configs/frozen_lake.yaml .*",
            "failed +\\d+.\\d s  lora",
            "status 134: #  SIGSEGV \\(0xb\\) .* # C  \\[libtorch_cuda.so\\+0x1234]  attend\\+0x10",
            "\\$ ./roll train .*",
            "2 of 3 checks failed, .*"),
        said.lines());
    List<String> table = Files.readAllLines(root.resolve("out/card.md"));
    assertEquals(5, table.size());
    assertTrue(table.get(3).matches("\\| train-fp32 \\| failed \\| [\\d.]+ \\| status 2: .* \\|"));
    assertEquals(2, card("out", "devices").status(), "a table is not overwritten");
  }

  @Test
  void theLibraryThatIsMissingIsCompiled() throws Exception {
    roll(
        """
        if [ -f "$ROLL_PYTHON/compiled" ]; then
          echo "0  cuda  NVIDIA H200"
        else
          echo "roll: ROLL_PYTHON: compile DJL's JNI library for it: build-jni" >&2
          exit 2
        fi
        """);
    Path compiler = root.resolve("launch/target/dist/build-jni");
    Files.createDirectories(compiler.getParent());
    Files.writeString(compiler, "#!/bin/sh\n[ -d \"$2\" ] && touch \"$1/compiled\"\n");
    assertTrue(compiler.toFile().setExecutable(true));
    Files.createDirectories(root.resolve("torch"));
    Said without = card("one", "devices", "--python", "torch");
    assertEquals(1, without.status());
    assertEquals(
        "status 2: roll: ROLL_PYTHON: compile DJL's JNI library for it: build-jni",
        without.lines().get(1));
    Said with = card("two", "devices", "--python", "torch", "--djl", "configs");
    assertEquals(0, with.status(), with.toString());
    assertTrue(with.lines().get(2).startsWith("JNI library compiled in "), with.toString());
  }

  @Test
  void rowsUntilAFailureAreKeptWithTheWarnings() throws Exception {
    roll(
        """
        echo "WARN roll.torch.Device: cuda:0: no CUDA graphs"
        echo "measured                      figure            others"
        echo "one sequence, 128 tokens  2.10 ms a token  2.4 SGLang"
        case "$3" in single) exit 0 ;; esac
        echo "roll: bench: the card is lost"
        exit 1
        """);
    assertEquals(
        List.of(
            "one sequence, 128 tokens: 2.10 ms a token; others 2.4 SGLang",
            "WARN roll.torch.Device: cuda:0: no CUDA graphs"),
        card("one", "bench-single").lines().subList(1, 3));
    List<String> failed = card("two", "bench-decode").lines();
    assertEquals("one sequence, 128 tokens: 2.10 ms a token; others 2.4 SGLang", failed.get(1));
    assertTrue(failed.get(2).startsWith("status 1: "), failed.toString());
    assertTrue(failed.contains("roll: bench: the card is lost"), failed.toString());
  }

  @Test
  void hangingProgramsAreKilledAndTheRestIsSkipped() throws Exception {
    roll("sleep 600 &\necho $! >child\nwait\n");
    Said said = card("out", "devices", "train-fp32", "budget=9");
    assertEquals(1, said.status());
    assertTrue(said.lines().contains("the budget is spent"), said.toString());
    assertTrue(said.lines().stream().anyMatch(line -> line.matches("not done in \\d s.*")));
    long child = Long.parseLong(Files.readString(root.resolve("child")).strip());
    await().until(() -> ProcessHandle.of(child).isEmpty());
  }

  @Test
  void coresAreNoCard() throws Exception {
    roll("echo \"0  cpu  a core, cards hidden: $CUDA_VISIBLE_DEVICES\"\n");
    assertEquals(1, card("one", "devices").status());
    assertEquals("0 cpu a core, cards hidden: -1", card("two", "--cpu", "devices").lines().get(1));
  }

  @Test
  void mistakesAreALine() throws Exception {
    assertEquals(new Said(2, List.of("card: name a folder for what is written")), card("--cpu"));
    assertEquals(
        new Said(2, List.of("card: budget: expected a positive integer, found 1h")),
        card("out", "budget=1h"));
    assertEquals(
        new Said(2, List.of("card: --python: absent does not exist")),
        card("out", "--python", "absent"));
    assertTrue(card("out", "bench").lines().getFirst().startsWith("card: no check 'bench'; there"));
    assertFalse(Files.exists(root.resolve("out")));
  }
}
