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

/**
 * A library that has NCCL's and the driver's functions, for cards that are memory of the computer.
 */
final class FakeCards {
  private final String path;
  private final NativeLibrary library;

  private FakeCards(Path library) {
    this.path = library.toString();
    this.library = NativeLibrary.open(path);
  }

  /** Compiled with {@code defines}; the test is skipped where that cannot be. */
  static FakeCards compile(Path folder, String... defines)
      throws IOException, InterruptedException {
    Path source = folder.resolve("cards.c");
    try (InputStream text = FakeCards.class.getResourceAsStream("cards.c")) {
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
    return new FakeCards(library);
  }

  String path() {
    return path;
  }

  NcclCollectives collectives() {
    return new NcclCollectives(List.of(path), path);
  }

  /** Pieces of memory and streams that are not freed. */
  long held() {
    return number("fakeAllocated") + number("fakeStreams");
  }

  private long number(String function) {
    return (long) library.call(JAVA_LONG, function);
  }

  /** Whether joining never ends. */
  void stuck(boolean now) {
    library.run("fakeStuck", now ? 1 : 0);
  }

  /** Has what rank {@code rank} asks for fail; none where it is −1. */
  void failing(int rank) {
    library.run("fakeFailing", rank + 1);
  }
}
