package roll.env.terminal.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.workspace.WorkspaceTemplate;

/** Tasks in Harbor's format, and what is wrong with them. */
@NullMarked
class TaskFolderTest {
  @TempDir Path folder;

  @BeforeEach
  void aTask() throws IOException {
    write(
        "task.toml",
        """
        version = "1.0"
        [metadata]
        author_name = "A"
        tags = ["x"]
        [verifier]
        timeout_sec = 12.5
        env = { KEY = "value" }
        [agent]
        timeout_sec = 90
        [environment]
        build_timeout_sec = 600.0
        cpus = 1
        memory_mb = 2048
        allow_internet = true
        [environment.env]
        LANGUAGE = "en"
        """);
    write("instruction.md", "Say hello.\n");
    write(
        "environment/Dockerfile",
        "FROM docker.io/library/ubuntu:24.04\nWORKDIR /app\nENV A=1\nCOPY start/ ./\n");
    write("environment/start/in/a.txt", "a");
    write("tests/test.sh", "true");
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, text);
  }

  private TerminalTask read() {
    return new TaskFolder(folder, Set.of("ubuntu")).read();
  }

  private String refused() {
    return userError(this::read).replace(folder + "/", "");
  }

  @Test
  void allPartsAreRead() {
    TerminalTask task = read();
    assertEquals("Say hello.", task.instruction());
    assertEquals(Duration.ofSeconds(90), task.time());
    assertEquals(Map.of("A", "1", "LANGUAGE", "en"), task.environment());
    assertEquals(Duration.ofMillis(12_500), task.verifier().time());
    assertEquals(Map.of("KEY", "value"), task.verifier().environment());
    assertEquals(folder.resolve("tests"), task.verifier().folder());
    assertEquals(
        new WorkspaceTemplate(folder.resolve("environment/start"), null, "/app"),
        task.start().template(folder.resolve("unused")));
    assertFalse(Files.exists(folder.resolve("unused")), "one folder needs no copy");
    assertTrue(task.demonstration().isEmpty());
    assertTrue(TaskFolder.isTask(folder));
  }

  @Test
  void imagesAreLeftToAProviderThatHasThem() throws IOException {
    TaskFolder task = new TaskFolder(folder, null);
    assertEquals(
        new WorkspaceTemplate(
            folder.resolve("environment/start"), "docker.io/library/ubuntu:24.04", "/app"),
        task.read().start().template(folder.resolve("unused")));
    write("task.toml", "environment.docker_image = 'example/built:1'");
    assertEquals(
        new WorkspaceTemplate(null, "example/built:1", null),
        task.read().start().template(folder.resolve("unused")));
  }

  @Test
  void timesHaveHarborsDefault() throws IOException {
    write("task.toml", "");
    assertEquals(Duration.ofMinutes(10), read().time());
    assertEquals(Duration.ofMinutes(10), read().verifier().time());
  }

  @Test
  void severalCopiesAreGathered() throws IOException {
    write(
        "environment/Dockerfile",
        "FROM ubuntu\nWORKDIR /app\nCOPY start/in/a.txt b.txt\nCOPY start lower/\nCOPY b.sh ./\n");
    write("environment/b.sh", "b");
    assertTrue(folder.resolve("environment/b.sh").toFile().setExecutable(true));
    Path made = folder.resolve("made");
    read().start().template(made);
    assertEquals("a", Files.readString(made.resolve("b.txt")));
    assertEquals("a", Files.readString(made.resolve("lower/in/a.txt")));
    assertTrue(Files.isExecutable(made.resolve("b.sh")));
  }

  @Test
  void aSolutionIsADemonstration() throws IOException {
    write("solution/solve.sh", "echo hello");
    assertEquals(
        List.of(Map.of("tool", "shell", "arguments", Map.of("command", "echo hello")), "done"),
        read().demonstration());
    write("solution/demonstration.json", "[{\"tool\": \"read_file\"}, \"yes\"]");
    assertEquals(List.of(Map.of("tool", "read_file"), "yes"), read().demonstration());
    write("solution/demonstration.json", "{}");
    assertTrue(refused().startsWith("solution/demonstration.json: not a JSON list"), refused());
  }

  @Test
  void anotherImageNeedsAProviderOfContainers() throws IOException {
    write("environment/Dockerfile", "FROM rust:1.80\nWORKDIR /app\n");
    assertEquals(
        "environment/Dockerfile: line 1: the programs of rust:1.80 are not among [ubuntu]"
            + " (allowed: "
            + Dockerfile.ALLOWED
            + ")",
        refused());
    write("task.toml", "[environment]\ndocker_image = \"owner/name:1\"\n");
    assertEquals("owner/name:1", read().start().template(folder).image());
    Files.delete(folder.resolve("environment/Dockerfile"));
    assertEquals("owner/name:1", read().start().template(folder).image());
    assertNull(read().start().template(folder).folder());
  }

  @Test
  void aBuildIsRefusedWithItsLine() throws IOException {
    write("environment/Dockerfile", "FROM ubuntu\nRUN make\n");
    assertEquals(
        "environment/Dockerfile: line 2: RUN needs a build (allowed: " + Dockerfile.ALLOWED + ")",
        refused());
  }

  @Test
  void copiesStayInTheirFolders() throws IOException {
    write("environment/Dockerfile", "FROM ubuntu\nWORKDIR /app\nCOPY ../tests ./\n");
    assertTrue(refused().contains("line 3: COPY of ../tests, which is no file"), refused());
    write("environment/Dockerfile", "FROM ubuntu\nWORKDIR /app\nCOPY start /etc/\n");
    assertTrue(refused().contains("line 3: COPY to /etc, outside of WORKDIR"), refused());
    write("environment/Dockerfile", "FROM ubuntu\nCOPY start /app\n");
    assertTrue(refused().contains("line 2: COPY to /app, outside of WORKDIR"), refused());
    write("environment/Dockerfile", "FROM ubuntu\nWORKDIR /app\nCOPY link ./\n");
    Files.createSymbolicLink(folder.resolve("environment/link"), Path.of("/etc/hostname"));
    assertTrue(refused().contains("line 3: COPY of link, which is no file"), refused());
  }

  @Test
  void missingAndWrongFilesAreNamed() throws IOException {
    Files.delete(folder.resolve("tests/test.sh"));
    assertEquals("tests/test.sh: missing", refused());
    Files.delete(folder.resolve("instruction.md"));
    Files.createSymbolicLink(folder.resolve("instruction.md"), Path.of("/etc/hostname"));
    assertEquals("instruction.md: not a regular file", refused());
    write("task.toml", "[agent\n");
    assertTrue(refused().startsWith("task.toml: "), refused());
    write("task.toml", "[agent]\ntimeout_sec = \"long\"\n");
    assertEquals(
        "task.toml: agent.timeout_sec: expected seconds, at most 1,000,000, found long", refused());
    write("task.toml", "[verifier]\ntimeout_sec = nan\n");
    assertTrue(refused().startsWith("task.toml: verifier.timeout_sec: expected"), refused());
    write("task.toml", "[verifier]\nenv = { A = 1 }\n");
    assertEquals("task.toml: verifier.env.A: expected a text, found 1", refused());
    write("task.toml", "[[steps]]\nname = \"one\"\n");
    assertEquals("task.toml: tasks of several steps are not supported", refused());
    write("task.toml", "[verifier]\nenvironment_mode = \"separate\"\n");
    assertEquals("task.toml: a separate environment for tests is not supported", refused());
    write("task.toml", "agent = 3\n");
    assertEquals("task.toml: agent: expected a table, found 3", refused());
    Files.delete(folder.resolve("task.toml"));
    assertEquals("task.toml: missing", refused());
  }

  @Test
  void severalContainersAreRefused() throws IOException {
    write("environment/docker-compose.yaml", "services: {}\n");
    assertEquals(
        "environment/docker-compose.yaml: several containers are not supported", refused());
  }
}
