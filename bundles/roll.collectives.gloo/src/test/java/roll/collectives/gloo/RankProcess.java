package roll.collectives.gloo;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import roll.collectives.testkit.RankFloats;
import roll.parallel.ZeroTraining;
import roll.parallel.collective.Communicator;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankFailure;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.RankLocation;

/**
 * Process of one rank, which answers each line of input with a line of output. Arguments: rank,
 * size, folder of the rendezvous.
 */
final class RankProcess {
  private static final int COUNT = 100_003;

  private RankProcess() {}

  /**
   * Commands: {@code open EPOCH LIMIT_MS RANKS}, {@code all} operations, {@code loop} until one
   * fails, {@code zero3} trains.
   */
  public static void main(String[] arguments) throws Exception {
    int rank = Integer.parseInt(arguments[0]);
    int size = Integer.parseInt(arguments[1]);
    LocalProcess site =
        new LocalProcess("process-" + rank, new FileRendezvous(Path.of(arguments[2])));
    GlooCollectives collectives = GlooContractTest.collectives();
    Communicator end = null;
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "open" -> {
          if (end != null) {
            end.close();
          }
          Duration limit = Duration.ofMillis(Long.parseLong(words[2]));
          RankGroup group = group(Long.parseLong(words[1]), Integer.parseInt(words[3]), limit);
          end = collectives.open(group, site).getFirst();
          reply("open");
        }
        case "zero3" -> {
          RankGroup group = group(9, size, Duration.ofSeconds(30));
          reply(ZeroTraining.train(collectives, group, site).getFirst());
        }
        case "all" -> reply(Integer.toString(operations(end)));
        case "loop" -> loop(end);
        default -> throw new IllegalArgumentException(line);
      }
    }
    System.exit(0);
  }

  private static RankGroup group(long epoch, int size, Duration limit) {
    List<RankLocation> members =
        IntStream.range(0, size)
            .mapToObj(r -> new RankLocation("process-" + r, "127.0.0.1", RankLocation.CPU))
            .toList();
    return new RankGroup("test", epoch, members, limit);
  }

  private static void reply(String line) {
    System.out.println("> " + line);
    System.out.flush();
  }

  /** Returns a hash of the results of all operations. */
  static int operations(Communicator end) {
    int size = end.size();
    int digest = 0;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment floats = RankFloats.floats(arena, RankFloats.random(end.rank(), COUNT));
      end.allReduce(floats);
      digest = 31 * digest + Arrays.hashCode(RankFloats.of(floats));
      MemorySegment all = RankFloats.floats(arena, RankFloats.random(end.rank(), 1001 * size));
      MemorySegment own = arena.allocate(1001L * Float.BYTES, Float.BYTES);
      end.reduceScatter(all, own);
      end.allGather(own, all);
      digest = 31 * digest + Arrays.hashCode(RankFloats.of(all));
      end.broadcast(floats, size - 1);
      int next = (end.rank() + 1) % size;
      int before = (end.rank() + size - 1) % size;
      end.send(own, next);
      end.receive(own, before);
      end.allGather(own, all);
      digest = 31 * digest + Arrays.hashCode(all.toArray(ValueLayout.JAVA_BYTE));
      end.barrier();
    }
    return digest;
  }

  private static void loop(Communicator end) {
    reply("looping");
    long start = System.nanoTime();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment floats = RankFloats.floats(arena, RankFloats.random(end.rank(), 1 << 20));
      while (true) {
        start = System.nanoTime();
        end.allReduce(floats);
      }
    } catch (RankFailure failure) {
      reply((System.nanoTime() - start) / 1_000_000 + " " + failure.getMessage());
    }
  }
}
