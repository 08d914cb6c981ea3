package roll.collectives.nccl;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import roll.torch.foreign.NativeLibrary;

/** Library with the functions of NCCL and the CUDA driver for fake GPUs in host memory. */
final class FakeGpus {
  private final String path;
  private final NativeLibrary library;

  private FakeGpus(Path library) {
    this.path = library.toString();
    this.library = NativeLibrary.open(path);
  }

  /** Compiles the library with {@code defines}; skips the test without a compiler. */
  static FakeGpus compile(Path folder, String... defines) throws IOException, InterruptedException {
    Path source = folder.resolve("cards.c");
    try (InputStream text = FakeGpus.class.getResourceAsStream("cards.c")) {
      Files.write(source, Objects.requireNonNull(text).readAllBytes());
    }
    Path library = folder.resolve("libcards" + String.join("", defines) + ".so");
    List<String> command = new ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-pthread"));
    command.addAll(List.of(defines));
    command.addAll(List.of("-o", library.toString(), source.toString()));
    try {
      assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
    } catch (IOException missing) {
      assumeTrue(false, "no gcc on the PATH");
    }
    return new FakeGpus(library);
  }

  String path() {
    return path;
  }

  NcclCollectives collectives() {
    return new NcclCollectives(List.of(path), path);
  }

  /** Returns the number of allocations and streams that are not freed. */
  long allocated() {
    return number("fakeAllocated") + number("fakeStreams");
  }

  private long number(String function) {
    return (long) library.call(JAVA_LONG, function);
  }

  /** Sets whether joining never ends. */
  void stuck(boolean now) {
    library.run("fakeStuck", now ? 1 : 0);
  }

  /** Makes the operations of {@code rank} fail; −1 for none. */
  void failing(int rank) {
    library.run("fakeFailing", rank + 1);
  }
}
