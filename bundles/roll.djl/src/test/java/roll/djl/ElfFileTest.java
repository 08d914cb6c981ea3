package roll.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElfFileTest {
  @TempDir Path folder;

  @Test
  void saysWhatALibraryNeedsAndWhereItLooks() throws IOException {
    Path library = folder.resolve("liba.so");
    TinyElf.write(library, TinyElf.AARCH64, "$ORIGIN/../b:/c", List.of("libd.so.1", "libe.so"));
    assertEquals(
        new ElfFile(183, List.of("libd.so.1", "libe.so"), List.of("$ORIGIN/../b", "/c")),
        ElfFile.read(library));
  }

  @Test
  void whatIsCutOffOrSomethingElseIsRefused() throws IOException {
    Path library = folder.resolve("liba.so");
    TinyElf.write(library, TinyElf.X86_64, "/c", List.of("libd.so.1"));
    byte[] whole = Files.readAllBytes(library);
    for (int size : new int[] {0, 63, 64, 130, 200, whole.length - 30}) {
      Files.write(library, Arrays.copyOf(whole, size));
      assertThrows(IOException.class, () -> ElfFile.read(library), size + " bytes");
    }
    Files.writeString(library, "#!/bin/sh\n".repeat(20));
    assertEquals(
        "not a shared library of a 64-bit Linux",
        assertThrows(IOException.class, () -> ElfFile.read(library)).getMessage());
  }
}
