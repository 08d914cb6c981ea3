package roll.parallel.collective;

import java.util.List;
import java.util.stream.IntStream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** Collectives of ranks that are threads of this process and read each other's memory. */
@Component(
    name = "roll.parallel.collective.threads",
    service = Collectives.class,
    property = "roll.collectives=threads")
public final class ThreadCollectives implements Collectives {
  /** Creates the thread collectives service. */
  @Activate
  public ThreadCollectives() {}

  @Override
  public List<Communicator> open(int size) {
    ThreadExchange meeting = new ThreadExchange(size);
    return IntStream.range(0, size)
        .<Communicator>mapToObj(rank -> new ThreadCommunicator(meeting, rank))
        .toList();
  }
}
