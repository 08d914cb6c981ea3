package roll.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassHierarchyResolver;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.TimeZone;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@NullMarked
class ForbiddenCallsTest {
  /** Each number does something that none may do. */
  public static final class Evil implements Consumer<Integer> {
    @Override
    public void accept(Integer what) {
      switch (what) {
        case 0 -> System.exit(3);
        case 1 -> Runtime.getRuntime().exit(3);
        case 2 -> Runtime.getRuntime().halt(3);
        case 3 -> IntStream.of(3).forEach(System::exit);
        case 4 -> {
          IntConsumer end = Runtime.getRuntime()::halt;
          end.accept(3);
        }
        case 5 -> Locale.setDefault(Locale.forLanguageTag("tr"));
        case 6 -> Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("tr"));
        case 7 -> TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Kiritimati"));
        case 8 -> System.setOut(System.err);
        case 9 -> System.setErr(System.out);
        case 10 -> System.setIn(InputStream.nullInputStream());
        case 11 -> System.setProperties(new java.util.Properties());
        case 12 -> Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {});
        case 13 -> new Inner().accept(3);
        default -> {
          // stack maps with types of this class, of Java and of none
          Object either = what > 20 ? new Inner() : what > 30 ? "text" : new Evil();
          for (int i = 0; i < 3; i++) {
            either = either instanceof Evil evil ? evil : either;
          }
          if (what < 0) {
            System.exit(3);
          }
        }
      }
    }
  }

  /** An interface has its own rules for static methods. */
  public interface Ends {
    /** Does it. */
    default void accept(int status) {
      System.exit(status);
    }
  }

  /** By the interface's default. */
  public static final class Inner implements Ends {}

  /** Defines the classes of this test anew, without what is forbidden. */
  private static final class Woven extends ClassLoader {
    Woven() {
      super(ForbiddenCallsTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(ForbiddenCallsTest.class.getName() + "$")) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = findLoadedClass(name);
      byte[] bytes = woven(bytes(name)).orElse(bytes(name));
      return known == null ? defineClass(name, bytes, 0, bytes.length) : known;
    }
  }

  private static byte[] bytes(String name) {
    String path = name.replace('.', '/') + ".class";
    try (InputStream in = ForbiddenCallsTest.class.getClassLoader().getResourceAsStream(path)) {
      return Objects.requireNonNull(in).readAllBytes();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Optional<byte[]> woven(byte[] bytes) {
    ClassLoader loader = ForbiddenCallsTest.class.getClassLoader();
    return ForbiddenCalls.replace(
        bytes,
        "maze 1.0.0",
        ClassHierarchyResolver.ofResourceParsing(loader)
            .orElse(ClassHierarchyResolver.defaultResolver()));
  }

  @SuppressWarnings("unchecked")
  private static void commit(int what) throws Exception {
    Class<?> evil = new Woven().loadClass(Evil.class.getName(), true);
    ((Consumer<Integer>) evil.getDeclaredConstructor().newInstance()).accept(what);
  }

  @ParameterizedTest
  @CsvSource({
    "0, System.exit",
    "1, Runtime.exit",
    "2, Runtime.halt",
    "3, System.exit",
    "4, Runtime.halt",
    "5, Locale.setDefault",
    "6, Locale.setDefault",
    "7, TimeZone.setDefault",
    "8, System.setOut",
    "9, System.setErr",
    "10, System.setIn",
    "11, System.setProperties",
    "12, Thread.setDefaultUncaughtExceptionHandler",
    "13, System.exit"
  })
  void whatIsForbiddenThrows(int what, String call) throws Exception {
    Locale before = Locale.getDefault();
    try {
      commit(what);
      fail(call + " was done");
    } catch (SecurityException e) {
      assertEquals("the plugin maze 1.0.0 must not call " + call, e.getMessage());
    }
    assertEquals(before, Locale.getDefault());
  }

  @Test
  void whatIsNotIsAsItWas() throws Exception {
    commit(14);
    byte[] harmless = bytes(ForbiddenCallsTest.Ends.class.getName().replace("$Ends", ""));
    assertTrue(Stream.of(harmless).noneMatch(bytes -> woven(bytes).isPresent()));
  }
}
