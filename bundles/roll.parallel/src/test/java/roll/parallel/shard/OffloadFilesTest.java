package roll.parallel.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OffloadFilesTest {
  @TempDir Path folder;

  private Set<String> names() throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return new TreeSet<>(files.map(file -> file.getFileName().toString()).toList());
    }
  }

  @Test
  @Tag("processes")
  void what_a_dead_process_left_is_deleted_and_nothing_else() throws Exception {
    Path ours = OffloadFiles.create(folder, 40);
    assertEquals(40, Files.size(ours));
    String name = ours.getFileName().toString();
    List<String> parts = List.of(name.split("\\."));
    String host = parts.getFirst();
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    String gone = host + "." + dead.pid() + ".1.5.f32";
    String reused = host + "." + parts.get(1) + ".1.5.f32"; // our number, of an earlier process
    String elsewhere = "roll-offload-othermachine." + dead.pid() + ".1.5.f32";
    for (String file : List.of(gone, reused, elsewhere, "notes.txt")) {
      Files.writeString(folder.resolve(file), "");
    }
    OffloadFiles.sweep(folder);
    assertEquals(Set.of(name, elsewhere, "notes.txt"), names());
    OffloadFiles.sweep(folder.resolve("none"));
  }

  @Test
  void memory_lies_in_a_file_that_has_no_name() throws Exception {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = OffloadFiles.memory(folder, 400, arena);
      memory.setAtIndex(ValueLayout.JAVA_FLOAT, 99, 1.5f);
      assertEquals(1.5f, memory.getAtIndex(ValueLayout.JAVA_FLOAT, 99));
      assertTrue(names().isEmpty());
    }
  }
}
