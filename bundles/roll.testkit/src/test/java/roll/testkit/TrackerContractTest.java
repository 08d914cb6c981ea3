package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.Option;
import roll.api.option.UserException;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;

/** The contract accepts a correct tracker (the inherited tests) and finds the faults of others. */
class TrackerContractTest extends TrackerContract {
  /** Possible faults of a tracker. */
  private enum Fault {
    NONE,
    KEEPS_WHAT_WILL_BE_DONE_AGAIN,
    HAS_A_WRONG_DEFAULT,
    HAS_ONE_FILE,
    WRITES_AT_THE_END
  }

  @Override
  protected Tracker tracker() {
    return new Lines(Fault.NONE);
  }

  @Test
  void findsDoubledSteps(@TempDir Path folder) throws IOException {
    TrackerContract contract = contract(Fault.KEEPS_WHAT_WILL_BE_DONE_AGAIN);
    contract.anyMetricsAreAccepted(folder);
    assertThrows(AssertionError.class, () -> contract.resumingLosesAndDoublesNothing(folder));
  }

  @Test
  void findsDefaultsThatAreNotAllowed() {
    TrackerContract contract = contract(Fault.HAS_A_WRONG_DEFAULT);
    assertThrows(UserException.class, contract::describesItself);
  }

  @Test
  void findsRunsThatMix(@TempDir Path folder) {
    TrackerContract contract = contract(Fault.HAS_ONE_FILE);
    assertThrows(AssertionError.class, () -> contract.runsAreIsolated(folder));
  }

  @Test
  void findsLinesThatACrashLoses(@TempDir Path folder) {
    TrackerContract contract = contract(Fault.WRITES_AT_THE_END);
    assertThrows(AssertionError.class, () -> contract.flushedMetricsAreOnDisk(folder));
  }

  private static TrackerContract contract(Fault fault) {
    Tracker one = new Lines(fault);
    return new TrackerContract() {
      @Override
      protected Tracker tracker() {
        return one;
      }
    };
  }

  /** A tracker that writes a line per step. */
  private static final class Lines implements Tracker {
    private final Fault fault;
    private final List<Path> first = new ArrayList<>();

    Lines(Fault fault) {
      this.fault = fault;
    }

    @Override
    public List<Option<?>> options() {
      int every = fault == Fault.HAS_A_WRONG_DEFAULT ? 0 : 1;
      return List.of(Option.integer("every", 1, 9, "steps between lines").withDefault(every));
    }

    @Override
    public Tracking open(TrackedRun run) {
      first.add(run.folder().resolve("lines.txt"));
      Path file = fault == Fault.HAS_ONE_FILE ? first.getFirst() : first.getLast();
      List<String> lines = new ArrayList<>();
      try {
        if (Files.exists(file)) {
          lines.addAll(Files.readAllLines(file));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (fault != Fault.KEEPS_WHAT_WILL_BE_DONE_AGAIN) {
        lines.removeIf(line -> Integer.parseInt(line.split(" ", 2)[0]) >= run.firstStep());
      }
      return new Tracking() {
        @Override
        public void log(int step, Map<String, Double> metrics) {
          lines.add(step + " " + metrics);
          if (fault != Fault.WRITES_AT_THE_END) {
            flush();
          }
        }

        @Override
        public void flush() {
          if (fault != Fault.WRITES_AT_THE_END) {
            write();
          }
        }

        private void write() {
          try {
            Files.write(file, lines);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }

        @Override
        public void close() {
          write();
        }
      };
    }
  }
}
