package roll.strategy.vllm;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** A Qwen2.5-VL. */
final class VllmSeeingTest extends VllmSeeingTestBase {
  VllmSeeingTest(@TempDir Path folder) throws IOException {
    super(folder, false);
  }
}
