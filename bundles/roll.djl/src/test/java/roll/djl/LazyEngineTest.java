package roll.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.djl.engine.EngineException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

/** Why an engine is not loaded, in one line. */
class LazyEngineTest {
  @Test
  void aFolderThatCannotBeWrittenIsNamedWithItsVariable() {
    String line =
        "native libraries cannot be unpacked: java.nio.file.NoSuchFileException: /nowhere;"
            + " DJL_CACHE_DIR names another folder";
    NoSuchFileException missing = new NoSuchFileException("/nowhere");
    assertEquals(line, LazyEngine.reason(new EngineException("not extracted", missing)));
    assertEquals(line, LazyEngine.reason(new UncheckedIOException(missing)));
    assertEquals("no kernel", LazyEngine.reason(new EngineException("no kernel\nat x")));
  }
}
