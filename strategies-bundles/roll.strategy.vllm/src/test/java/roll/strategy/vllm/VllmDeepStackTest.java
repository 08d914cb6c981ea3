package roll.strategy.vllm;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** A Qwen3-VL, which adds features of pictures after its first layers too. */
final class VllmDeepStackTest extends VllmSeeingTestBase {
  VllmDeepStackTest(@TempDir Path folder) throws IOException {
    super(folder, true);
  }
}
