package roll.ui.trajectory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.image.Picture;
import roll.runtime.replay.ReplayedEpisode;
import roll.ui.run.RunEntry;
import roll.ui.trajectory.EpisodeFrames.Frames;

class EpisodeFramesTest {
  private static final RunEntry HANGING = new RunEntry("a", Path.of("/hanging"), null);
  private static final RunEntry OTHER = new RunEntry("b", Path.of("/other"), null);

  /** A folder may name a file that never ends. */
  @Test
  @Timeout(60)
  void whatHangsCostsItsOwnRunAlone() {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    Picture picture = Picture.png(new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB));
    EpisodeFrames frames =
        new EpisodeFrames(
            () ->
                (run, line, own) -> {
                  begun.incrementAndGet();
                  if (run.equals(HANGING.folder())) {
                    end.await();
                  }
                  return new ReplayedEpisode(List.of(picture), null);
                });
    List<CompletableFuture<Frames>> hanging = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      hanging.add(frames.of(HANGING, "line " + i));
    }
    String refusal = "other episodes of the run are still being replayed";
    for (int i = 4; i < 100; i++) {
      assertEquals(refusal, frames.of(HANGING, "line " + i).join().problem());
    }
    assertNull(frames.of(OTHER, "line").join().problem());
    end.countDown();
    hanging.forEach(one -> assertNull(one.join().problem()));
    assertEquals(5, begun.get());
    Frames later = frames.of(HANGING, "line 4").join();
    while (later.problem() != null) { // the last of the four is about to be counted as ended
      later = frames.of(HANGING, "line 4").join();
    }
    assertEquals(List.of(picture), later.frames());
  }
}
