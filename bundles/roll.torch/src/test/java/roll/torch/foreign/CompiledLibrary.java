package roll.torch.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A library with functions of NVIDIA's, as their header declares them, out of C. */
final class CompiledLibrary {
  private CompiledLibrary() {}

  /** The path of the library that {@code source} is compiled to, in {@code folder}. */
  static String of(Path folder, String source) throws IOException, InterruptedException {
    return compiled(Files.writeString(folder.resolve("library.c"), source), "gcc");
  }

  /** The same for C++. */
  static String ofCpp(Path folder, String source) throws IOException, InterruptedException {
    return compiled(Files.writeString(folder.resolve("library.cc"), source), "g++");
  }

  private static String compiled(Path text, String program)
      throws IOException, InterruptedException {
    Path library = text.resolveSibling("library.so");
    try {
      Process compiler =
          new ProcessBuilder(program, "-shared", "-fPIC", "-o", "" + library, "" + text)
              .inheritIO()
              .start();
      assertEquals(0, compiler.waitFor());
    } catch (IOException missing) {
      assumeTrue(false, "no " + program + " on the PATH");
    }
    return library.toString();
  }
}
