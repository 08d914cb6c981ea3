package roll.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.launch.Framework;
import roll.api.option.UserException;

/** Files of the folder while one is replaced, also by a process that was killed meanwhile. */
@Tag("framework")
class ReplacementTest {
  @TempDir Path home;
  private Framework framework;
  private Folder folder;
  private Path watched;
  private Path coming;

  @BeforeEach
  void start() throws Exception {
    framework =
        new FrameworkFactory()
            .newFramework(Map.of("org.osgi.framework.storage", home.resolve("storage").toString()));
    framework.start();
    watched = home.resolve("deploy");
    folder = new Folder(framework.getBundleContext(), watched.toString());
    folder.create();
    coming = new SmallJar("maze", "2.0.0").write(home.resolve("coming.jar"));
  }

  @AfterEach
  void stop() throws Exception {
    framework.stop();
    framework.waitForStop(0);
  }

  /** Version by the name of each file of the folder. */
  private Map<String, String> files() {
    Map<String, String> files = new TreeMap<>();
    folder
        .own()
        .keySet()
        .forEach(
            jar ->
                files.put(jar.getFileName().toString(), Candidate.read(jar).version().toString()));
    return files;
  }

  private List<Path> beside() throws IOException {
    try (Stream<Path> files = Files.list(home)) {
      return files.filter(file -> file.getFileName().toString().startsWith(".deploy-")).toList();
    }
  }

  private Replacement replacement() throws IOException {
    return Replacement.of(folder, Candidate.read(coming));
  }

  @Test
  void anOlderFileIsReplaced() throws IOException {
    new SmallJar("maze", "1.0.0").write(watched.resolve("by-hand.jar"));
    try (Replacement replacement = replacement()) {
      replacement.put();
    }
    assertEquals(Map.of("maze.jar", "2.0.0"), files());
    assertEquals(List.of(), beside());
    assertEquals(List.of(), Replacement.undoAll(folder));
  }

  @Test
  void anOlderFileIsPutBack() throws IOException {
    for (String name : List.of("by-hand.jar", "maze.jar")) {
      Path old = new SmallJar("maze", "1.0.0").write(watched.resolve(name));
      try (Replacement replacement = replacement()) {
        replacement.put();
        replacement.takeBack();
      }
      assertEquals(Map.of(name, "1.0.0"), files());
      assertEquals(List.of(), beside());
      Files.delete(old);
    }
  }

  @Test
  void aFileOfAnotherBundleIsNotReplaced() throws IOException {
    Path other = new SmallJar("other", "1.0.0").write(watched.resolve("maze.jar"));
    UserException e = assertThrows(UserException.class, this::replacement);
    assertEquals(other + " is in the way: it is not a jar of maze", e.getMessage());
    assertEquals(List.of(), beside());
  }

  /** What lies beside the folder after {@code kill -9}, which lets the lock go, is put back. */
  @Test
  void whatAKilledProcessLeftIsUndone() throws IOException {
    for (String name : List.of("by-hand.jar", "maze.jar")) {
      Path old = new SmallJar("maze", "1.0.0").write(watched.resolve(name));
      try (Replacement replacement = replacement()) {
        replacement.put();
        assertEquals(List.of(), Replacement.undoAll(folder), "it goes on");
        copy(beside().getFirst(), home.resolve(".deploy-of-the-killed"));
      }
      assertEquals(Map.of("maze.jar", "2.0.0"), files());
      List<String> undone = Replacement.undoAll(folder);
      assertEquals(name.equals("maze.jar") ? List.of(name) : List.of("maze.jar", name), undone);
      assertEquals(Map.of(name, "1.0.0"), files());
      assertEquals(List.of(), beside());
      Files.delete(old);
    }
  }

  /** Nothing served before: then nothing does. */
  @Test
  void aFirstJarOfAKilledProcessIsTakenAway() throws IOException {
    try (Replacement replacement = replacement()) {
      replacement.put();
      copy(beside().getFirst(), home.resolve(".deploy-of-the-killed"));
    }
    assertEquals(List.of("maze.jar"), Replacement.undoAll(folder));
    assertEquals(Map.of(), files());
    assertEquals(List.of(), beside());
  }

  /** Killed between the decision and the end of its cleaning: the new one stays. */
  @Test
  void whatWasSettledStays() throws IOException {
    new SmallJar("maze", "1.0.0").write(watched.resolve("maze.jar"));
    Path left = home.resolve(".deploy-settled");
    try (Replacement replacement = replacement()) {
      replacement.put();
      copy(beside().getFirst(), left);
      Files.writeString(left.resolve("state"), "");
    }
    assertEquals(List.of(), Replacement.undoAll(folder));
    assertEquals(Map.of("maze.jar", "2.0.0"), files());
    assertEquals(List.of(), beside());
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }
}
