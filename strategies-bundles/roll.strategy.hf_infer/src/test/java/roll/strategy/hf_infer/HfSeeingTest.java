package roll.strategy.hf_infer;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** A Qwen2.5-VL. */
final class HfSeeingTest extends HfSeeingTestBase {
  HfSeeingTest(@TempDir Path folder) throws IOException {
    super(folder, false);
  }
}
