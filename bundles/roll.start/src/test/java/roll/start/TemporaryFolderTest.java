package roll.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.start.Executable.End;

/** Temporary files of real processes, and their removal. */
@Tag("processes")
class TemporaryFolderTest {
  @TempDir Path folder;
  private Path cache;
  private Path home;
  private Executable jar;
  private int number;

  @BeforeEach
  void distribution() throws IOException {
    cache = folder.resolve("a b+c%41/cache");
    home = Files.createDirectories(cache.resolve("tmp"));
    jar = new Executable(folder);
    jar.write("one");
  }

  /** Starts a process like the script. */
  private Process start(String argument) throws IOException {
    Path own = Files.createDirectory(home.resolve(String.valueOf(++number)));
    List<String> options = List.of("-Djava.io.tmpdir=" + own, "-Droll.tmp.dir=" + own);
    return jar.start(cache, options, argument);
  }

  private static Path written(Process process) throws IOException {
    var reader = process.inputReader(StandardCharsets.UTF_8);
    List<String> out = new ArrayList<>();
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      out.add(line);
      if (line.startsWith("temporary ")) {
        return new End(0, out, "").place("temporary");
      }
    }
    throw new AssertionError(out);
  }

  @Test
  void whatAProcessWritesGoesWithIt() throws Exception {
    Process process = start("0");
    Path file = written(process);
    assertEquals(0, process.waitFor());
    assertTrue(file.startsWith(home.resolve("1")), file.toString());
    assertEquals(List.of(home.resolve("lock")), FileTrees.list(home));
  }

  @Test
  void whatAKilledOneLeftGoesAtTheNextStartAndALivingOneKeepsIts() throws Exception {
    Process killed = start("wait");
    Process living = start("wait");
    try {
      Path left = written(killed);
      Path kept = written(living);
      killed.destroyForcibly().waitFor();
      assertTrue(Files.exists(left));
      Process next = start("0");
      Path gone = written(next);
      assertEquals(0, next.waitFor());
      assertFalse(Files.exists(left.getParent()));
      assertFalse(Files.exists(gone.getParent()));
      assertTrue(Files.exists(kept));
    } finally {
      killed.destroyForcibly().waitFor();
      living.destroyForcibly().waitFor();
    }
  }

  @Test
  void whatIsNotOursStays() throws Exception {
    Path starting = Files.createDirectory(home.resolve("77"));
    Path given = Files.createDirectories(home.resolve("models/78"));
    Path old = Files.createDirectory(home.resolve("79"));
    Files.setLastModifiedTime(old, FileTime.fromMillis(0));
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Files.createSymbolicLink(home.resolve("80"), elsewhere);
    Files.createFile(elsewhere.resolve("file"));
    assertEquals(0, start("0").waitFor());
    assertTrue(Files.exists(starting), "a script has just made it");
    assertTrue(Files.exists(given));
    assertTrue(Files.exists(elsewhere.resolve("file")));
    assertFalse(Files.exists(old), "no JVM came");
  }

  @Test
  void aNewBuildLeavesWhatLivingProcessesWrite() throws Exception {
    Process living = start("wait");
    try {
      Path kept = written(living);
      Path run = Files.createDirectories(cache.resolve("run/run-1/framework"));
      Files.createFile(cache.resolve("run/lock"));
      jar.write("two");
      assertEquals(0, start("0").waitFor());
      assertTrue(Files.exists(kept));
      assertTrue(Files.exists(run));
    } finally {
      living.destroyForcibly().waitFor();
    }
  }

  @Test
  void aFolderThatCannotBeWrittenIsOneLine() throws Exception {
    Path missing = folder.resolve("missing");
    End end = Executable.end(jar.start(cache, List.of("-Djava.io.tmpdir=" + missing), "0"));
    assertEquals(2, end.status());
    assertTrue(end.err().contains("ROLL_JAVA_OPTS=-Djava.io.tmpdir="), end.err());
    String line =
        "roll: the folder of temporary files cannot be written: " + missing + ": NoSuchFile";
    assertTrue(end.err().lines().toList().getLast().startsWith(line), end.err());
    assertEquals(1, end.err().lines().filter(l -> !l.startsWith("WARNING")).count(), end.err());
  }
}
