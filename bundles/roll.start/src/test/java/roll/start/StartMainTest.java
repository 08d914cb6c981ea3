package roll.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import roll.start.Executable.End;

/** Real processes over one distribution: what they unpack, share, mend and leave. */
@Tag("processes")
class StartMainTest {
  @TempDir Path folder;
  private Path cache;
  private Executable jar;

  @BeforeEach
  void distribution() throws IOException {
    cache = folder.resolve("a b+c%41/cache");
    jar = new Executable(folder);
    jar.write("one");
    Files.createDirectory(folder.resolve("tmp"));
  }

  private Path unpacked(String content) throws IOException, InterruptedException {
    End end = jar.run(cache, "0");
    assertEquals(0, end.status(), end.err());
    Path plain = end.place("jar/plain.jar");
    assertEquals(content, Files.readString(plain));
    return plain;
  }

  private static List<Path> entries(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.filter(e -> !e.endsWith("lock")).sorted().toList();
    }
  }

  @Test
  void bundlesAreUnpackedOnce() throws Exception {
    End first = jar.run(cache, "7");
    assertEquals(7, first.status(), first.err());
    Path plain = first.place("jar/plain.jar");
    assertTrue(plain.startsWith(cache), plain.toString());
    Path inner = first.place("jar/nested.jar").resolve("lib/inner.jar");
    assertEquals("inner", Files.readString(inner));
    assertFalse(Files.exists(plain.getParent().resolveSibling("native")));
    Object file = Files.getAttribute(plain, "unix:ino");
    assertEquals(plain, unpacked("one"));
    assertEquals(file, Files.getAttribute(plain, "unix:ino"), "written again");
    assertFalse(Files.exists(first.place("storage").getParent()), "the framework's files are left");
  }

  @Test
  void aDamagedCacheIsMended() throws Exception {
    Path plain = unpacked("one");
    Files.writeString(plain, "");
    unpacked("one");
    Files.writeString(plain, "two");
    Files.setLastModifiedTime(plain, FileTime.fromMillis(0));
    unpacked("one");
    Files.delete(plain);
    Files.createDirectory(plain);
    unpacked("one");
    Path nested = plain.resolveSibling("nested.jar");
    FileTrees.delete(nested);
    Files.writeString(nested, "no folder");
    unpacked("one");
    assertEquals("inner", Files.readString(nested.resolve("lib/inner.jar")));
  }

  @Test
  void whatWasKilledWhileUnpackingIsFinished() throws Exception {
    Path plain = unpacked("one");
    Path list = plain.getParent().resolveSibling("files");
    String whole = Files.readString(list);
    Files.writeString(list, whole.substring(0, whole.indexOf('\n') + 1));
    Files.delete(plain);
    Files.writeString(plain.resolveSibling("plain.jar.part"), "o");
    unpacked("one");
    assertEquals(whole.lines().count(), Files.readString(list).lines().count());
    assertFalse(Files.exists(plain.resolveSibling("plain.jar.part")));
  }

  @Test
  void anotherBuildReplacesOneThatNobodyRuns() throws Exception {
    unpacked("one");
    jar.write("two");
    unpacked("two");
    assertEquals(1, entries(cache).size());
  }

  @Test
  void aRunKeepsItsBundlesAndAKilledOneLeavesNothing() throws Exception {
    Process running = jar.start(cache, "wait");
    try {
      List<String> out = new ArrayList<>();
      BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(running.getInputStream(), StandardCharsets.UTF_8));
      for (int line = 0; line < 3; line++) {
        out.add(reader.readLine());
      }
      End so = new End(0, out, "");
      jar.write("two");
      assertNotEquals(so.place("jar/plain.jar"), unpacked("two"));
      assertEquals("one", Files.readString(so.place("jar/plain.jar")));
      assertTrue(Files.exists(so.place("storage").resolve("bundle0")));
      running.destroyForcibly().waitFor();
      jar.write("three");
      unpacked("three");
      assertEquals(1, entries(cache).size());
      assertFalse(Files.exists(so.place("storage").getParent()));
    } finally {
      running.destroyForcibly();
    }
  }

  @Test
  void severalStartAtOnce() throws Exception {
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      processes.add(jar.start(cache, "0"));
    }
    for (Process process : processes) {
      End end = Executable.end(process);
      assertEquals(0, end.status(), end.err());
      assertEquals("one", Files.readString(end.place("jar/plain.jar")));
      assertFalse(Files.exists(end.place("storage").getParent()));
    }
  }

  @Test
  void whereTheDistributionCannotBeWrittenTheUsersOwnFolderServes() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    End end = jar.run(file.resolve("cache"), "0");
    assertEquals(0, end.status(), end.err());
    assertTrue(end.place("jar/plain.jar").startsWith(folder.resolve("user/roll")));
    FileTrees.delete(folder.resolve("user"));
    Files.writeString(folder.resolve("user"), "");
    End temporary = jar.run(file.resolve("cache"), "0");
    assertEquals(0, temporary.status(), temporary.err());
    assertTrue(temporary.place("jar/plain.jar").startsWith(folder.resolve("tmp")));
  }

  @Test
  void nowhereIsOneLine() throws Exception {
    Files.writeString(folder.resolve("user"), "");
    String own = "roll-" + System.getProperty("user.name");
    Files.writeString(folder.resolve("tmp").resolve(own), "");
    End end = jar.run(folder.resolve("user/cache"), "0");
    assertEquals(2, end.status());
    assertTrue(end.err().startsWith("roll: no folder to unpack the bundles: "), end.err());
    assertEquals(1, end.err().lines().count(), end.err());
  }

  @Test
  void aWrongSettingIsOneLine() throws Exception {
    String file = Files.writeString(folder.resolve("file"), "").toString();
    for (String wrong :
        List.of(
            "roll.retire.timeout=abc",
            "roll.retire.timeout=-1",
            "roll.deploy.timeout=1e3",
            "roll.deploy.timeut=5",
            "roll.log.level=loud",
            "roll.attended=yes",
            "roll.collectives.gloo.clear_text=true",
            "roll.deploy.dir=",
            "roll.log.dir=" + file)) {
      String[] setting = wrong.split("=", 2);
      End end = Executable.end(jar.start(cache, List.of("-D" + wrong), "0"));
      assertEquals(2, end.status(), wrong + ": " + end.err());
      assertEquals(1, end.err().lines().count(), end.err());
      assertTrue(end.err().startsWith("roll: -D" + setting[0] + ": "), end.err());
    }
    assertFalse(Files.exists(cache), "nothing is unpacked");
    List<String> right = List.of("-Droll.log.level=INFO", "-Droll.env.mine=x", "-Droll.root=x");
    assertEquals(0, Executable.end(jar.start(cache, right, "0")).status());
  }

  @Test
  void theTemporaryFolderThatCannotBeWrittenIsNamed() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    for (String place : List.of("roll.tmp.dir", "java.io.tmpdir")) {
      End end =
          Executable.end(jar.start(cache, List.of("-D" + place + "=" + file.resolve("x")), "0"));
      assertEquals(2, end.status());
      String line = end.err().lines().toList().getLast();
      assertTrue(line.contains("temporary files cannot be written: " + file + "/x: "), end.err());
    }
  }

  @Test
  void tooLittleMemoryIsOneLine() throws Exception {
    End end =
        Executable.end(
            jar.start(cache, List.of("-Xmx12m", "-Djava.io.tmpdir=" + folder.resolve("tmp")), "0"));
    assertEquals(2, end.status());
    assertTrue(
        end.err().matches("roll: the Java heap of 1\\d MB is too small: .*-Xmx32m"), end.err());
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void tooFewDescriptorsAreOneLine() throws Exception {
    List<String> command = jar.command(cache, List.of(), "0");
    List<String> limited = new ArrayList<>(List.of("sh", "-c", "ulimit -n 70; exec \"$@\"", "sh"));
    limited.addAll(command);
    End end = Executable.end(new ProcessBuilder(limited).start());
    assertEquals(2, end.status());
    assertTrue(end.err().matches("roll: the limit of 70 open files .* at least 103 .*"), end.err());
  }
}
