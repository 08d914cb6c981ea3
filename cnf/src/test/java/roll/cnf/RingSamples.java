package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.osgi.framework.launch.FrameworkFactory;

/** Test classes that are never run: {@link RingsTest} reads their class files. */
final class RingSamples {
  private RingSamples() {}

  /** A helper of tests. */
  static final class Programs {
    private Programs() {}

    static int status(String program) throws Exception {
      return new ProcessBuilder(program).start().waitFor();
    }

    static int size(String program) {
      return program.length();
    }
  }

  /** A helper whose objects are used through an interface. */
  static final class Server implements AutoCloseable {
    @Override
    public void close() throws IOException {
      new ProcessBuilder("kill").start();
    }
  }

  static class Untagged {
    @Test
    void starts() throws Exception {
      assertEquals(0, Programs.status("true"));
    }
  }

  static class UntaggedBefore {
    @BeforeEach
    void start() throws Exception {
      try (AutoCloseable server = new Server()) {
        assertEquals("Server", server.getClass().getSimpleName());
      }
    }

    @Test
    void computes() {
      assertEquals(4, Programs.size("true"));
    }
  }

  static class Computes {
    @Test
    void computes() {
      assertEquals(4, Programs.size("true"));
    }
  }

  @Tag("processes")
  static class Tagged extends Untagged {
    @Nested
    class Inner extends Untagged {}
  }

  static class TaggedMethod extends Computes {
    @Test
    @Tag("processes")
    void starts() throws Exception {
      assertEquals(0, status());
    }

    private static int status() throws Exception {
      return Programs.status("true");
    }
  }

  @Tag("framework")
  static class LesserRing extends Untagged {}

  @Tag("framework")
  @Tag("hostile")
  static class TwoRings extends Computes {}

  @Tag("hostile")
  static class AnotherRingBelow extends TaggedMethod {}

  @Tag("proceses")
  static class Misspelt extends Untagged {}

  static class Framework {
    @Test
    void starts(FrameworkFactory factory) {
      assertEquals(0, factory.newFramework(Map.of()).getBundleId());
    }
  }

  abstract static class Contract {
    abstract int status() throws Exception;

    @Test
    void starts() throws Exception {
      assertEquals(0, status());
    }
  }

  static class Kept extends Contract {
    @Override
    int status() throws Exception {
      return Programs.status("true");
    }
  }

  static class KeptByComputing extends Contract {
    @Override
    int status() {
      return Programs.size("");
    }
  }

  static class InsideUntagged extends Computes {}

  @Tag("framework")
  static class InsideTagged extends Untagged {}
}
