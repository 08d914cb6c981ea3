package roll.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  private static final String KILLED = ".deploy-of-the-killed";

  @TempDir Path home;
  private Framework framework;
  private DeployFolder folder;
  private Path watched;
  private Path coming;

  @BeforeEach
  void start() throws Exception {
    framework =
        new FrameworkFactory()
            .newFramework(Map.of("org.osgi.framework.storage", home.resolve("storage").toString()));
    framework.start();
    watched = home.resolve("deploy");
    folder = new DeployFolder(framework.getBundleContext(), watched.toString());
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
                files.put(
                    jar.getFileName().toString(), CandidateJar.read(jar).version().toString()));
    return files;
  }

  private List<Path> beside() throws IOException {
    try (Stream<Path> files = Files.list(watched)) {
      return files.filter(file -> file.getFileName().toString().startsWith(".deploy-")).toList();
    }
  }

  private Replacement replacement() throws IOException {
    return Replacement.of(folder, List.of(CandidateJar.read(coming)));
  }

  private static void put(Replacement replacement) throws IOException {
    for (Replacement.Part part : replacement.parts()) {
      replacement.put(part);
    }
  }

  @Test
  void anOlderFileIsReplaced() throws IOException {
    new SmallJar("maze", "1.0.0").write(watched.resolve("by-hand.jar"));
    try (Replacement replacement = replacement()) {
      put(replacement);
      replacement.settle();
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
        put(replacement);
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
    assertEquals(other + " already exists and is not a jar of maze", e.getMessage());
    assertEquals(List.of(), beside());
  }

  /**
   * Jars that remain in the folder after {@code kill -9}, which releases the lock, are restored.
   */
  @Test
  void whatAKilledProcessLeftIsUndone() throws IOException {
    for (String name : List.of("by-hand.jar", "maze.jar")) {
      Path old = new SmallJar("maze", "1.0.0").write(watched.resolve(name));
      try (Replacement replacement = replacement()) {
        put(replacement);
        assertEquals(List.of(), Replacement.undoAll(folder), "it goes on");
        copy(beside().getFirst(), watched.resolve(KILLED));
        replacement.settle();
      }
      assertEquals(Map.of("maze.jar", "2.0.0"), files());
      List<String> undone = Replacement.undoAll(folder);
      assertEquals(name.equals("maze.jar") ? List.of(name) : List.of("maze.jar", name), undone);
      assertEquals(Map.of(name, "1.0.0"), files());
      assertEquals(List.of(), beside());
      Files.delete(old);
    }
  }

  /** If no jar was active before, none is afterwards. */
  @Test
  void aFirstJarOfAKilledProcessIsTakenAway() throws IOException {
    killedAfterPut();
    assertEquals(List.of("maze.jar"), Replacement.undoAll(folder));
    assertEquals(Map.of(), files());
    assertEquals(List.of(), beside());
  }

  /** Killed between the decision and the end of its cleaning: the new one stays. */
  @Test
  void whatWasSettledStays() throws IOException {
    new SmallJar("maze", "1.0.0").write(watched.resolve("maze.jar"));
    Path left = watched.resolve(KILLED);
    try (Replacement replacement = replacement()) {
      put(replacement);
      copy(beside().getFirst(), left);
      replacement.settle();
      Files.writeString(left.resolve("state"), "");
    }
    assertEquals(List.of(), Replacement.undoAll(folder));
    assertEquals(Map.of("maze.jar", "2.0.0"), files());
    assertEquals(List.of(), beside());
  }

  /** Until all copies are whole nothing says that they are put back. */
  @Test
  void aCopyThatIsCutOffIsNotPutBack() throws IOException {
    Path old = new SmallJar("maze", "1.0.0").write(watched.resolve("maze.jar"));
    try (Replacement replacement = replacement()) {
      Files.move(old, home.resolve("aside.jar"));
      assertThrows(NoSuchFileException.class, () -> put(replacement));
      assertEquals("", Files.readString(beside().getFirst().resolve("state")));
    }
    assertEquals(List.of(), beside());
  }

  /** The user has copied another jar there before the next start. */
  @Test
  void whatWasPutThereSinceStays() throws IOException {
    for (String name : List.of("by-hand.jar", "maze.jar")) {
      Path old = new SmallJar("maze", "1.0.0").write(watched.resolve(name));
      killedAfterPut();
      new SmallJar("maze", "2.0.1").write(watched.resolve("maze.jar"));
      assertEquals(List.of(), Replacement.undoAll(folder));
      assertEquals(Map.of("maze.jar", "2.0.1"), files());
      assertEquals(List.of(), beside());
      Files.deleteIfExists(old);
      Files.deleteIfExists(watched.resolve("maze.jar"));
    }
  }

  @Test
  void aFileThatTookTheOldNameStays() throws IOException {
    new SmallJar("maze", "1.0.0").write(watched.resolve("by-hand.jar"));
    killedAfterPut();
    new SmallJar("maze", "2.0.1").write(watched.resolve("by-hand.jar"));
    assertEquals(List.of("maze.jar"), Replacement.undoAll(folder));
    assertEquals(Map.of("by-hand.jar", "2.0.1"), files());
    assertEquals(List.of(), beside());
  }

  @Test
  void anOlderFileComesBackWhereNoneIs() throws IOException {
    new SmallJar("maze", "1.0.0").write(watched.resolve("maze.jar"));
    killedAfterPut();
    Files.delete(watched.resolve("maze.jar"));
    assertEquals(List.of("maze.jar"), Replacement.undoAll(folder));
    assertEquals(Map.of("maze.jar", "1.0.0"), files());
  }

  /** Killed when one of two older files was moved, but the new one was not yet in its place. */
  @Test
  void allOlderFilesComeBack() throws IOException {
    Path old = new SmallJar("maze", "1.0.0").write(watched.resolve("maze.jar"));
    new SmallJar("maze", "1.0.1").write(watched.resolve("by-hand.jar"));
    Files.copy(old, home.resolve("old.jar"));
    killedAfterPut();
    Files.copy(home.resolve("old.jar"), old, StandardCopyOption.REPLACE_EXISTING);
    assertEquals(List.of("maze.jar", "by-hand.jar"), Replacement.undoAll(folder));
    assertEquals(Map.of("by-hand.jar", "1.0.1", "maze.jar", "1.0.0"), files());
    assertEquals(List.of(), beside());
  }

  @Test
  void theReplacementsOfAnotherFolderAreLeftToIt() throws IOException {
    new SmallJar("maze", "1.0.0").write(watched.resolve("maze.jar"));
    killedAfterPut();
    DeployFolder other =
        new DeployFolder(framework.getBundleContext(), home.resolve("other").toString());
    other.create();
    assertEquals(List.of(), Replacement.undoAll(other));
    assertEquals(Map.of(), other.own());
    assertEquals(List.of("maze.jar"), Replacement.undoAll(folder));
  }

  /** Killed between two jars that belong together, or after both: neither stays. */
  @Test
  void whatBelongsTogetherIsUndoneTogether() throws IOException {
    Path first = new SmallJar("helper", "1.0.0").write(home.resolve("helper.jar"));
    new SmallJar("maze", "1.0.0").write(watched.resolve("maze.jar"));
    List<CandidateJar> both = List.of(CandidateJar.read(first), CandidateJar.read(coming));
    for (int count : new int[] {1, 2}) {
      try (Replacement replacement = Replacement.of(folder, both)) {
        for (Replacement.Part part : replacement.parts().subList(0, count)) {
          replacement.put(part);
        }
        copy(beside().getFirst(), watched.resolve(KILLED));
        replacement.settle();
      }
      assertEquals(
          Map.of("helper.jar", "1.0.0", "maze.jar", count == 1 ? "1.0.0" : "2.0.0"), files());
      assertEquals(
          count == 1 ? List.of("helper.jar") : List.of("maze.jar", "helper.jar"),
          Replacement.undoAll(folder));
      assertEquals(Map.of("maze.jar", "1.0.0"), files());
      assertEquals(List.of(), beside());
    }
  }

  /** Links lead to files of others; what is no replacement does not keep others from it. */
  @Test
  void whatIsNoReplacementStaysAndTheOthersAreUndone() throws IOException {
    new SmallJar("maze", "1.0.0").write(watched.resolve("maze.jar"));
    killedAfterPut();
    Path elsewhere = home.resolve("elsewhere");
    copy(watched.resolve(KILLED), elsewhere);
    Path linked = Files.createSymbolicLink(watched.resolve(".deploy-linked"), elsewhere);
    Path state = Files.createDirectory(watched.resolve(".deploy-a")).resolve("state");
    Files.createSymbolicLink(state, Files.writeString(home.resolve("precious"), "precious"));
    Path file = Files.writeString(watched.resolve(".deploy-file"), "");
    assertEquals(List.of("maze.jar"), Replacement.undoAll(folder));
    assertEquals(Map.of("maze.jar", "1.0.0"), files());
    assertEquals("precious", Files.readString(home.resolve("precious")));
    assertTrue(Files.exists(elsewhere.resolve("maze.jar")));
    assertEquals(Set.of(linked, state.getParent(), file), Set.copyOf(beside()));
  }

  /** The framework fails, for example because the disk is full. */
  @Test
  void whatIsNotSettledIsTakenBack() throws IOException {
    new SmallJar("maze", "1.0.0").write(watched.resolve("a.jar"));
    Path second = new SmallJar("maze", "1.0.1").write(watched.resolve("b.jar"));
    try (Replacement replacement = replacement()) {
      Files.delete(second);
      assertThrows(NoSuchFileException.class, () -> put(replacement));
      assertEquals(Map.of(), files());
    }
    assertEquals(Map.of("a.jar", "1.0.0"), files());
    try (Replacement replacement = replacement()) {
      put(replacement);
      assertEquals(Map.of("maze.jar", "2.0.0"), files());
    }
    assertEquals(Map.of("a.jar", "1.0.0"), files());
    assertEquals(List.of(), beside());
  }

  /** Leaves the folder as {@code kill -9} does. */
  private void killedAfterPut() throws IOException {
    try (Replacement replacement = replacement()) {
      put(replacement);
      copy(beside().getFirst(), watched.resolve(KILLED));
      replacement.settle();
    }
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
