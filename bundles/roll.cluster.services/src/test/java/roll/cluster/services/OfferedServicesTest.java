package roll.cluster.services;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.launch.Framework;
import roll.cluster.Membership;
import roll.cluster.services.TwoMembers.Desk;

/** Services that nodes offer, and what they open at each other, with real membership. */
@Tag("processes")
@Timeout(120)
class OfferedServicesTest {
  private static final ServiceKind<Desk> DESKS = new ServiceKind<>(Desk.class, "desk", "test");

  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private TwoMembers members;
  private Membership first;
  private Membership second;

  @TempDir Path folder;

  @BeforeEach
  void open() throws Exception {
    members = new TwoMembers();
    first = members.first;
    second = members.second;
  }

  @AfterEach
  void close() {
    members.close();
  }

  @Test
  void whatAMemberHasOpenedEndsWithIt() throws Exception {
    Leases<Integer, String> leases =
        new Leases<>(first, (key, value, why) -> told.add(key + value + ": " + why));
    leases.put(1, second.self(), "a");
    leases.put(2, first.self(), "b");
    leases.put(3, second.self(), "c");
    assertEquals("a", leases.get(1, second.self()));
    assertNull(leases.get(1, first.self()));
    assertNull(leases.get(4, first.self()));
    assertEquals("c", leases.remove(3));
    assertEquals(Map.of(1, "a", 2, "b"), leases.all());
    second.close();
    assertEquals("1a: node " + second.self() + " is gone", told.poll(30, TimeUnit.SECONDS));
    leases.put(5, second.self(), "d");
    assertEquals("5d: node " + second.self() + " is lost", told.poll());
    leases.close();
    assertEquals("2b: this node has left the run", told.poll());
    leases.put(6, first.self(), "e");
    assertEquals("6e: this node has left the run", told.poll());
    assertEquals(Map.of(), leases.all());
  }

  private Framework framework(String name) throws Exception {
    Framework framework =
        new org.apache.felix.framework.FrameworkFactory()
            .newFramework(Map.of("org.osgi.framework.storage", folder.resolve(name).toString()));
    framework.start();
    return framework;
  }

  private static List<ServiceReference<Desk>> imported(Framework framework) {
    try {
      return List.copyOf(
          framework.getBundleContext().getServiceReferences(Desk.class, "(service.imported=*)"));
    } catch (org.osgi.framework.InvalidSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void servicesThatANodeOffersAreServicesOfTheFirst() throws Exception {
    Framework here = framework("here");
    Framework there = framework("there");
    BlockingQueue<Long> left = new LinkedBlockingQueue<>();
    OfferedServices<Desk> served =
        new OfferedServices<>(there.getBundleContext(), second, DESKS, _ -> "a digest", left::add);
    try (ImportedServices<Desk, TwoMembers.Answers> _ =
        new ImportedServices<>(
            here.getBundleContext(),
            first,
            DESKS,
            (member, offer) -> new TwoMembers.Answers(told, member.name() + offer.digest()))) {
      ServiceRegistration<Desk> desk = offer(there, "a");
      served.open();
      TwoMembers.await(() -> imported(here).size() == 1);
      ServiceReference<Desk> reference = imported(here).getFirst();
      assertArrayEquals(new String[] {"a"}, (String[]) reference.getProperty("desk"));
      assertEquals("second", reference.getProperty("roll.node"));
      assertEquals(Integer.MIN_VALUE, reference.getProperty("service.ranking"));
      here.getBundleContext().getService(reference).tell("!");
      assertEquals("seconda digest!", told.poll(30, TimeUnit.SECONDS));
      ServiceRegistration<Desk> other = offer(there, "b");
      TwoMembers.await(() -> imported(here).size() == 2);
      long number = (Long) desk.getReference().getProperty("service.id");
      assertInstanceOf(TwoMembers.Answers.class, served.get(number));
      desk.unregister();
      assertEquals(number, left.poll(30, TimeUnit.SECONDS));
      assertEquals(
          "the desk is not there any more",
          assertThrows(IllegalStateException.class, () -> served.get(number)).getMessage());
      TwoMembers.await(() -> imported(here).size() == 1);
      second.close();
      TwoMembers.await(() -> imported(here).isEmpty());
      other.unregister();
    } finally {
      served.close();
      here.stop();
      there.stop();
    }
  }

  private ServiceRegistration<Desk> offer(Framework framework, String name) {
    return framework
        .getBundleContext()
        .registerService(
            Desk.class,
            new TwoMembers.Answers(told, name),
            FrameworkUtil.asDictionary(Map.of("desk", name)));
  }
}
