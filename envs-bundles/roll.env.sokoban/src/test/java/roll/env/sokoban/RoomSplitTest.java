package roll.env.sokoban;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.env.EpisodeStart;

class RoomSplitTest {
  /** Wherever the player begins. */
  @Test
  void aRoomOfTrainingIsNeverOneOfValidation() {
    SokobanScenario scenario = scenario(0.2);
    Set<String> trained = rooms(scenario, "train");
    assertTrue(Collections.disjoint(trained, rooms(scenario, "val")));
    assertEquals(rooms(scenario(0), "train"), rooms(scenario(0), "val"));
  }

  @Test
  void aRoomIsTheSameWhereverThePlayerBegins() {
    String room = Rooms.level("#####", "#@$.#", "#   #", "#####").room();
    assertEquals("4x5:######021##000######", room);
    assertEquals(room, Rooms.level("#####", "# $.#", "#@  #", "#####").room());
  }

  private static SokobanScenario scenario(double share) {
    return Rooms.scenario(Map.of("dim_room", List.of(5, 5), "num_boxes", 1, "val_share", share));
  }

  private static Set<String> rooms(SokobanScenario scenario, String purpose) {
    Set<String> rooms = new HashSet<>();
    for (long seed = 0; seed < 3000; seed++) {
      String observation =
          scenario.reset(new EpisodeStart(purpose, 1, seed, 0, 1, 0)).observation();
      rooms.add(observation.replace('P', '_').replace('S', 'O'));
    }
    return rooms;
  }
}
