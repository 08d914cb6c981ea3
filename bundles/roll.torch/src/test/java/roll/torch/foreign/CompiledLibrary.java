package roll.torch.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A library with functions of NVIDIA's, as their header declares them, out of C. */
final class CompiledLibrary {
  private CompiledLibrary() {}

  /**
   * The path of the library that {@code source} is compiled to, in {@code folder}.
   *
   * @param needed paths of libraries that it depends on
   */
  static String of(Path folder, String source, String... needed)
      throws IOException, InterruptedException {
    return compiled(Files.writeString(folder.resolve("library.c"), source), "gcc", needed);
  }

  /** The same for C++. */
  static String ofCpp(Path folder, String source) throws IOException, InterruptedException {
    return compiled(Files.writeString(folder.resolve("library.cc"), source), "g++");
  }

  private static String compiled(Path text, String program, String... needed)
      throws IOException, InterruptedException {
    Path library = text.resolveSibling("library.so");
    try {
      List<String> command = new ArrayList<>(List.of(program, "-shared", "-fPIC", "-o"));
      command.addAll(List.of("" + library, "" + text, "-Wl,--no-as-needed"));
      command.addAll(List.of(needed));
      Process compiler = new ProcessBuilder(command).inheritIO().start();
      assertEquals(0, compiler.waitFor());
    } catch (IOException missing) {
      assumeTrue(false, "no " + program + " on the PATH");
    }
    return library.toString();
  }
}
